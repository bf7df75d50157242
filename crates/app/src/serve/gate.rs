//! Who may ask: the token of the printed address, our own host and origin.
//!
//! A page of another site can make a browser send requests here, and can point
//! a name of its own at 127.0.0.1. So every request must name our host, none
//! may come from another origin, and whatever computes needs the token.

use super::refusal::Refusal;
use anyhow::anyhow;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use std::fmt::Write;
use std::sync::Arc;

/// What the browser may load and run: our own files, and pictures that the page makes.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// What a request must show.
pub(crate) struct Gate {
    token: String,
    hosts: [String; 2],
    /// Cookies are shared between ports, so its name tells ours.
    cookie: String,
}

/// A token that nobody can guess.
pub(crate) fn new_token() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| anyhow!("no randomness for the token: {error}"))?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

impl Gate {
    pub(crate) fn new(port: u16, token: String) -> Self {
        Self {
            token,
            hosts: ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}")),
            cookie: format!("stoneline-{port}"),
        }
    }

    fn check(&self, request: &Request) -> Result<(), Refusal> {
        let forbidden = |reason| Err(Refusal::new(StatusCode::FORBIDDEN, reason));
        let headers = request.headers();
        let host = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok());
        let uri_host = request
            .uri()
            .authority()
            .map(|authority| authority.as_str());
        let ours = |host: &str| self.hosts.iter().any(|own| own == host);
        if !host.is_some_and(ours) || !uri_host.is_none_or(ours) {
            return forbidden("this host is not served here; use the printed address");
        }
        if let Some(origin) = headers.get(header::ORIGIN) {
            let origin = origin
                .to_str()
                .ok()
                .and_then(|text| text.strip_prefix("http://"));
            if !origin.is_some_and(ours) {
                return forbidden("pages of other origins may not ask here");
            }
        }
        if !request.uri().path().starts_with("/api/") {
            return Ok(());
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if matches!(site, Some(b"cross-site" | b"same-site")) {
            return forbidden("pages of other sites may not ask here");
        }
        if !self.has_token(headers) {
            let reason = "open the address that stoneline printed: it holds the token of this run";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, reason));
        }
        Ok(())
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let bearer = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let cookies = headers.get_all(header::COOKIE);
        let cookie = cookies
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split("; "))
            .filter_map(|pair| pair.split_once('='))
            .filter(|(name, _)| *name == self.cookie)
            .map(|(_, value)| value);
        bearer
            .into_iter()
            .chain(cookie)
            .any(|told| self.is_token(told))
    }

    /// Whether `told` is the token, in the same time whatever it is.
    fn is_token(&self, told: &str) -> bool {
        let pairs = told.bytes().zip(self.token.bytes());
        told.len() == self.token.len() && pairs.fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
    }

    /// The way from the printed address to the page, with a cookie if the token is right.
    fn admit(&self, request: &Request) -> Option<Response> {
        let query = request
            .uri()
            .query()
            .filter(|_| request.uri().path() == "/")?;
        let told = query
            .split('&')
            .find_map(|pair| pair.strip_prefix("token="))?;
        let mut response = Redirect::to("/").into_response();
        if self.is_token(told) {
            let cookie = format!(
                "{}={}; HttpOnly; SameSite=Strict; Path=/",
                self.cookie, told
            );
            let cookie = HeaderValue::from_str(&cookie).ok()?;
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        Some(response)
    }
}

/// Lets through what may ask, and puts the page's rules on every answer.
pub(crate) async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = match gate.check(&request) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => match gate.admit(&request) {
            Some(redirect) => redirect,
            None => next.run(request).await,
        },
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
