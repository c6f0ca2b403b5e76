//! Conversion between seconds since 1970 and date and time (UTC).

use time::{Date, Month, OffsetDateTime, Time};

/// Year, month, day and hour, minute, second; `None` for times outside the supported range.
pub fn of_seconds(seconds: u64) -> Option<([i32; 3], [u8; 3])> {
    let at = OffsetDateTime::from_unix_timestamp(i64::try_from(seconds).ok()?).ok()?;
    let date = [at.year(), i32::from(u8::from(at.month())), i32::from(at.day())];
    Some((date, [at.hour(), at.minute(), at.second()]))
}

/// Parses `2026.11.21` or `2026-11-21`, with an optional time `05:11:05`.
pub fn to_seconds(date: &str, time: &str) -> Option<u64> {
    let mut fields = date.split(['.', '-']);
    let year = fields.next()?.parse().ok()?;
    let month = Month::try_from(fields.next()?.parse::<u8>().ok()?).ok()?;
    let day = Date::from_calendar_date(year, month, fields.next()?.parse().ok()?).ok()?;
    let mut fields = time.split(':').map(|field| field.parse().ok());
    let mut next = || fields.next().flatten().unwrap_or(0);
    let time = Time::from_hms(next(), next(), next()).ok()?;
    u64::try_from(day.with_time(time).assume_utc().unix_timestamp()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_read_as_they_are_written() {
        assert_eq!(of_seconds(1_795_237_865), Some(([2026, 11, 21], [5, 11, 5])));
        assert_eq!(to_seconds("2026.11.21", "05:11:05"), Some(1_795_237_865));
        assert_eq!(to_seconds("1970-01-02", ""), Some(86_400));
        for date in ["", "2026", "2026.13.01", "2026.02.30", "????.??.??", "1950.01.01"] {
            assert_eq!(to_seconds(date, ""), None, "{date}");
        }
        assert_eq!(of_seconds(u64::MAX), None);
    }
}
