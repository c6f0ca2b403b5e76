//! The server: its routes, the headers of every response, and its shutdown.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use axum::Router;
use axum::body::{self, Body};
use axum::extract::{DefaultBodyLimit, Form, FromRequestParts, Path, Request, State, WebSocketUpgrade};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use kakugo::output;
use kakugo::protocol::library::tree;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::{runtime, signal, task, time};

use crate::access::{Access, Attempt};
use crate::budget::TabBudget;
use crate::connections::Connections;
use crate::database::Database;
use crate::options::Options;
use crate::{page, tab};

/// The port that is tried first. With a fixed port, the games that the browser has saved for this address are
/// kept.
const USUAL_PORT: u16 = 5115;
/// Minimum length of a password.
const LEAST_PASSWORD: usize = 8;
/// Maximum number of connections in addition to the tabs' connections; a page loads its files over six.
const MORE_CONNECTIONS: usize = 64;
/// Maximum length of a request's body, in bytes.
const MAX_BODY: usize = 1 << 10;
/// Maximum size of a RenLib library, in bytes.
const MAX_LIBRARY: usize = 32 << 20;
/// Time limit for the upload of a library.
const LIBRARY_TIME: Duration = Duration::from_secs(60);
/// Time limit for open connections to end after Ctrl-C or SIGTERM.
const FAREWELL: Duration = Duration::from_secs(2);

/// State shared by all requests.
struct Site {
    access: Access,
    budget: Arc<TabBudget>,
    closing: watch::Receiver<bool>,
    database: Option<Arc<Database>>,
    /// Held while a library is read: only one library at a time takes memory.
    library: Semaphore,
}

/// The checked host of a request.
#[derive(Clone)]
struct Host(String);

/// Serves the page until Ctrl-C or SIGTERM.
///
/// # Errors
/// Returns an error if the options do not fit together, a file can't be read, or the address can't be
/// listened on.
pub fn run(options: &Options) -> Result<()> {
    let password = password(options)?;
    if !options.address.is_loopback() && password.is_none() {
        bail!("{} can be reached from other machines: --password-file is needed", options.address);
    }
    if let Some(warning) = options.memory_warning() {
        output::status_line(format_args!("warning: {warning}"));
    }
    let database = options.database.as_deref().map(Database::open).transpose()?.map(Arc::new);
    let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.context("cannot start")?.block_on(serve(options, password, database))
}

fn password(options: &Options) -> Result<Option<String>> {
    let Some(path) = &options.password_file else { return Ok(None) };
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let password = first_line(&text).to_owned();
    ensure!(
        password.chars().count() >= LEAST_PASSWORD,
        "{}: the password has fewer than {LEAST_PASSWORD} characters",
        path.display()
    );
    Ok(Some(password))
}

/// The first line of a file. The byte order mark that some editors write is not part of it.
fn first_line(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default()
}

async fn serve(options: &Options, password: Option<String>, database: Option<Arc<Database>>) -> Result<()> {
    let listener = listen(options).await?;
    let address = listener.local_addr().context("no address")?;
    let access = Access::new(address, &options.hosts, password);
    let budget = TabBudget::new(options.tabs as usize, options.search_threads(), options.memory << 20);
    let shown = SocketAddr::new(visible_ip(address), address.port());
    let place = match access.has_password() {
        true => format!("http://{shown}/"),
        false => format!("http://{shown}/{}/", access.token()),
    };
    output::print(&format!("{place}\n"))?;
    output::status_line("Press Ctrl-C to stop the server.");
    if options.open
        && let Err(error) = open::that_detached(&place)
    {
        output::status_line(format_args!("cannot open a browser: {error}"));
    }
    let connections = Connections::new(listener, options.tabs as usize + MORE_CONNECTIONS);
    let (close, closing) = watch::channel(false);
    let library = Semaphore::new(1);
    let site = Arc::new(Site { access, budget: Arc::new(budget), closing, database, library });
    let mut closed = site.closing.clone();
    let stop = async move {
        let _ = closed.wait_for(|&closing| closing).await;
    };
    let mut server =
        tokio::spawn(axum::serve(connections, router(site)).with_graceful_shutdown(stop).into_future());
    tokio::select! {
        ended = &mut server => ended.context("the server failed")?.context("the server failed"),
        signal = end_signal() => {
            signal.context("cannot wait for Ctrl-C")?;
            let _ = close.send(true);
            // The server does not wait for connections that have become tabs; they hold `closing` until they
            // have ended. Other connections that browsers keep open need no farewell.
            let farewell = async {
                let _ = server.await;
                close.closed().await;
            };
            let _ = time::timeout(FAREWELL, farewell).await;
            Ok(())
        }
    }
}

/// Waits for Ctrl-C, or for the signal with which systems end a service.
#[cfg(unix)]
async fn end_signal() -> io::Result<()> {
    let mut terminate = signal::unix::signal(signal::unix::SignalKind::terminate())?;
    tokio::select! {
        interrupted = signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn end_signal() -> io::Result<()> {
    signal::ctrl_c().await
}

/// The address that a browser on this machine uses. Not every system lets a listener on `::` accept IPv4.
fn visible_ip(address: SocketAddr) -> IpAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    }
}

async fn listen(options: &Options) -> Result<TcpListener> {
    let ports = options.port.map_or(vec![USUAL_PORT, 0], |port| vec![port]);
    let mut failure: Option<(u16, io::Error)> = None;
    for port in ports {
        match TcpListener::bind((options.address, port)).await {
            Ok(listener) => {
                if let Some((usual, error)) = failure {
                    let cause = match error.kind() {
                        io::ErrorKind::AddrInUse => "is taken".to_owned(),
                        _ => format!("cannot be used ({error})"),
                    };
                    output::status_line(format_args!(
                        "warning: port {usual} {cause}; games saved under it are not shown at this address"
                    ));
                }
                return Ok(listener);
            }
            Err(error) => failure = Some((port, error)),
        }
    }
    let (port, error) = failure.expect("at least one port was tried");
    Err(error).with_context(|| format!("cannot listen on {}", SocketAddr::new(options.address, port)))
}

fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(door).post(enter))
        .route("/{token}", get(without_slash))
        .route("/{token}/", get(index))
        .route("/{token}/engine", get(engine))
        .route("/{token}/library", post(library))
        .route("/{token}/{*path}", get(file))
        .fallback(async || refusal(StatusCode::NOT_FOUND, page::NOT_FOUND))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&site), guard))
        .with_state(site)
}

/// Refuses requests for other hosts, and adds the security headers to every response.
async fn guard(State(site): State<Arc<Site>>, mut request: Request, next: Next) -> Response {
    let Some(host) = site.access.host(request.headers()) else {
        return protect(refusal(StatusCode::MISDIRECTED_REQUEST, page::OTHER_HOST), "");
    };
    request.extensions_mut().insert(Host(host.clone()));
    protect(next.run(request).await, &host)
}

fn protect(mut answer: Response, host: &str) -> Response {
    // Not every browser accepts a WebSocket on the same host as 'self'.
    let sockets = if host.is_empty() { String::new() } else { format!(" ws://{host} wss://{host}") };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'{sockets}; \
         manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Without a referrer on its own host, a browser sends the password with the Origin `null`.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // The page may change with the program at the same address.
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}

fn refusal(status: StatusCode, html: &'static str) -> Response {
    (status, Html(html)).into_response()
}

/// `/`: the password prompt.
async fn door(State(site): State<Arc<Site>>) -> Response {
    if site.access.has_password() {
        Html(page::PASSWORD).into_response()
    } else {
        refusal(StatusCode::FORBIDDEN, page::NO_TOKEN)
    }
}

#[derive(serde::Deserialize)]
struct Entry {
    password: String,
}

async fn enter(
    State(site): State<Arc<Site>>,
    axum::Extension(Host(host)): axum::Extension<Host>,
    headers: HeaderMap,
    Form(entry): Form<Entry>,
) -> Response {
    if !site.access.is_own_page(&headers, &host) {
        return refusal(StatusCode::FORBIDDEN, page::OTHER_HOST);
    }
    match site.access.attempt(&entry.password) {
        Attempt::Right => Redirect::to(&format!("/{}/", site.access.token())).into_response(),
        Attempt::Wrong => refusal(StatusCode::FORBIDDEN, page::WRONG_PASSWORD),
        Attempt::TooSoon => refusal(StatusCode::TOO_MANY_REQUESTS, page::TOO_SOON),
    }
}

/// The page's address without the final slash, which is easily lost in copying.
async fn without_slash(State(site): State<Arc<Site>>, Path(token): Path<String>) -> Response {
    if site.access.knows(&token) {
        Redirect::to(&format!("/{token}/")).into_response()
    } else {
        refusal(StatusCode::NOT_FOUND, page::NOT_FOUND)
    }
}

async fn index(State(site): State<Arc<Site>>, Path(token): Path<String>, headers: HeaderMap) -> Response {
    give(&site, &token, page::INDEX, &headers)
}

async fn file(
    State(site): State<Arc<Site>>,
    Path((token, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    give(&site, &token, &path, &headers)
}

fn give(site: &Site, token: &str, path: &str, headers: &HeaderMap) -> Response {
    if !site.access.knows(token) {
        return refusal(StatusCode::FORBIDDEN, page::NO_TOKEN);
    }
    match page::find(path) {
        Some(file) => {
            let about = [(header::CONTENT_TYPE, file.kind), (header::VARY, "accept-encoding")];
            if accepts_deflate(headers) {
                (about, [(header::CONTENT_ENCODING, "deflate")], &file.deflated[..]).into_response()
            } else {
                (about, &file.bytes[..]).into_response()
            }
        }
        None => refusal(StatusCode::NOT_FOUND, page::NOT_FOUND),
    }
}

/// Whether a browser accepts the coding `deflate`. A browser that sends a quality value with it, which no
/// browser does, gets the files uncompressed.
fn accepts_deflate(headers: &HeaderMap) -> bool {
    let codings = headers.get(header::ACCEPT_ENCODING).and_then(|codings| codings.to_str().ok());
    codings
        .is_some_and(|codings| codings.split(',').any(|coding| coding.trim().eq_ignore_ascii_case("deflate")))
}

/// Proof that a request below `/{token}` has the right token and comes from the page itself.
struct OwnPage;

impl FromRequestParts<Arc<Site>> for OwnPage {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<OwnPage, Response> {
        let token = Path::<String>::from_request_parts(parts, site).await;
        let Path(token) = token.map_err(IntoResponse::into_response)?;
        let host = parts.extensions.get::<Host>();
        let is_own = host.is_some_and(|Host(host)| site.access.is_own_page(&parts.headers, host));
        if site.access.knows(&token) && is_own {
            Ok(OwnPage)
        } else {
            Err(refusal(StatusCode::FORBIDDEN, page::NO_TOKEN))
        }
    }
}

async fn engine(_: OwnPage, State(site): State<Arc<Site>>, upgrade: WebSocketUpgrade) -> Response {
    let (budget, database, closing) = (Arc::clone(&site.budget), site.database.clone(), site.closing.clone());
    upgrade
        .max_message_size(tab::MAX_MESSAGE)
        .max_frame_size(tab::MAX_MESSAGE)
        .on_upgrade(move |socket| tab::serve(socket, budget, database, closing))
}

/// Turns a RenLib library into a tree for the page.
async fn library(_: OwnPage, State(site): State<Arc<Site>>, headers: HeaderMap, bytes: Body) -> Response {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_none_or(|length: usize| length > MAX_LIBRARY) {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    }
    let _turn = site.library.acquire().await;
    let Ok(Ok(bytes)) = time::timeout(LIBRARY_TIME, body::to_bytes(bytes, MAX_LIBRARY)).await else {
        return StatusCode::REQUEST_TIMEOUT.into_response();
    };
    match task::spawn_blocking(move || tree(&bytes)).await {
        Ok(Ok(text)) => text.into_response(),
        Ok(Err(error)) => (StatusCode::UNPROCESSABLE_ENTITY, format!("ERROR {error}")).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shown_address_is_of_the_family_that_is_listened_on() {
        for (address, expected) in [
            ("0.0.0.0:5115", "127.0.0.1"),
            ("[::]:5115", "::1"),
            ("[::1]:5115", "::1"),
            ("192.168.0.7:5115", "192.168.0.7"),
        ] {
            let address: SocketAddr = address.parse().expect("it is valid");
            assert_eq!(visible_ip(address).to_string(), expected, "{address}");
        }
    }

    #[test]
    fn a_password_has_no_byte_order_mark() {
        for text in ["correct horse", "correct horse\r\nmore", "\u{feff}correct horse\n"] {
            assert_eq!(first_line(text), "correct horse", "{text:?}");
        }
        assert_eq!(first_line(""), "");
    }
}
