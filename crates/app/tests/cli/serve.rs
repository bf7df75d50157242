//! The page's server: its address, its gate, its bounds.

use crate::run::stoneline_path;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;

/// A server of our own, ended when the test is.
pub(crate) struct Server {
    child: Child,
    host: String,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer: its status, its head and its body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Server {
    /// Starts the binary with `arguments` and waits for its address.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(stoneline_path())
            .args(arguments)
            // So that no browser is found that `--open` could start.
            .env("PATH", "")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let link = line.trim().strip_prefix("Stoneline is at http://");
        let (host, token) = link
            .and_then(|link| link.split_once("/?token="))
            .unwrap_or_else(|| panic!("no address: {line:?}"));
        Self {
            host: host.to_owned(),
            token: token.to_owned(),
            child,
        }
    }

    fn new() -> Self {
        Self::start(&["serve", "--port", "0"])
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.host).expect("the server listens")
    }

    /// The answer to a request with these lines of head, the first one complete.
    fn send(&self, lines: &[&str], body: &str) -> Answer {
        let mut stream = self.connect();
        let head = lines.join("\r\n");
        let length = body.len();
        let sent = write!(
            stream,
            "{head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        sent.expect("the server reads");
        let mut bytes = Vec::new();
        // A refusal may cut off what it did not want to read.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    fn head_lines(&self, path: &str) -> [String; 4] {
        [
            format!("POST /api/{path} HTTP/1.1"),
            format!("Host: {}", self.host),
            format!("Authorization: Bearer {}", self.token),
            "Content-Type: application/json".to_owned(),
        ]
    }

    fn ask(&self, path: &str, body: &str) -> Answer {
        let lines = self.head_lines(path);
        self.send(&lines.each_ref().map(String::as_str), body)
    }

    fn page(&self, lines: &[&str]) -> Answer {
        self.send(&[&["GET / HTTP/1.1"], lines].concat(), "")
    }

    fn status(&self) -> serde_json::Value {
        let [_, host, token, _] = self.head_lines("");
        let answer = self.send(&["GET /api/status HTTP/1.1", &host, &token], "");
        serde_json::from_str(&answer.body).expect("JSON")
    }
}

#[test]
fn the_page_comes_with_strict_rules() {
    let server = Server::new();
    let page = server.page(&[&format!("Host: {}", server.host)]);
    assert_eq!(page.status, 200);
    assert!(page.body.contains("<title>Stoneline</title>"));
    assert!(
        page.head
            .contains("content-security-policy: default-src 'none'")
    );
    assert!(!page.head.contains("unsafe"), "{}", page.head);
    assert!(page.head.contains("x-content-type-options: nosniff"));
}

#[test]
fn the_printed_address_leads_to_the_page_with_a_cookie() {
    let server = Server::new();
    let host = format!("Host: {}", server.host);
    let get = format!("GET /?token={} HTTP/1.1", server.token);
    let answer = server.send(&[&get, &host], "");
    assert_eq!(answer.status, 303);
    let port = server.host.split(':').nth(1).unwrap();
    let cookie = format!("stoneline-{port}={}", server.token);
    let set = format!("set-cookie: {cookie}; httponly; samesite=strict");
    assert!(answer.head.contains(&set), "{}", answer.head);
    let status = "GET /api/status HTTP/1.1";
    let cookie = format!("Cookie: other=1; {cookie}");
    assert_eq!(server.send(&[status, &host, &cookie], "").status, 200);
    assert_eq!(server.send(&[status, &host], "").status, 401);
    let wrong = server.send(&["GET /?token=0 HTTP/1.1", &host], "");
    assert!(!wrong.head.contains("set-cookie"));
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = Server::new();
    let host = format!("Host: {}", server.host);
    assert_eq!(server.page(&["Host: example.org"]).status, 403);
    assert_eq!(server.page(&["Host: 127.0.0.1"]).status, 403);
    let foreign = [
        "Origin: http://example.org",
        "Origin: null",
        "Origin: https://127.0.0.1",
    ];
    for origin in foreign {
        assert_eq!(server.page(&[&host, origin]).status, 403, "{origin}");
        let mut lines: Vec<String> = server.head_lines("analyse").to_vec();
        lines.push(origin.to_owned());
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let answer = server.send(&lines, r#"{"position":"connect4"}"#);
        assert_eq!(answer.status, 403, "{origin}");
    }
    let own = format!("Origin: http://{}", server.host);
    assert_eq!(server.page(&[&host, &own]).status, 200);
    let bearer = format!("Authorization: Bearer {}", server.token);
    let cross = [
        "GET /api/status HTTP/1.1",
        &host,
        &bearer,
        "Sec-Fetch-Site: cross-site",
    ];
    assert_eq!(server.send(&cross, "").status, 403);
}

#[test]
fn what_is_too_much_or_makes_no_sense_is_refused_with_the_reason() {
    let server = Server::new();
    for (path, body, status, reason) in [
        ("position", r#"{"position":"connect5"}"#, 400, "connect5"),
        ("position", r#"{"position":"connect4 9"}"#, 400, "9"),
        ("position", "{", 400, "EOF"),
        (
            "analyse",
            r#"{"position":"connect4 1212121"}"#,
            400,
            "the game is over",
        ),
        (
            "move",
            r#"{"position":"connect4","engine":"nobody"}"#,
            400,
            "unknown engine",
        ),
        (
            "move",
            r#"{"position":"connect4","engine":"mcts:memory=9GB"}"#,
            400,
            "memory",
        ),
        (
            "move",
            r#"{"position":"connect4","engine":"mcts:threads=64"}"#,
            400,
            "threads",
        ),
        (
            "move",
            r#"{"position":"connect4","engine":"mcts:time=9999s"}"#,
            400,
            "time",
        ),
        (
            "move",
            r#"{"position":"gomoku","engine":"solver"}"#,
            400,
            "falling",
        ),
        (
            "puzzle",
            r#"{"game":"connect4","plies":2,"seed":1}"#,
            400,
            "odd",
        ),
        (
            "match",
            r#"{"game":"connect4","engines":["random","random"],"games":9999,"time_ms":1,"opening_plies":0,"seed":1}"#,
            400,
            "9999 games",
        ),
    ] {
        let answer = server.ask(path, body);
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.body);
        assert!(
            answer.body.contains(reason),
            "{path} {body}: {}",
            answer.body
        );
    }
    let long = format!(r#"{{"position":"connect4 {}"}}"#, "4".repeat(20_000));
    assert_eq!(server.ask("position", &long).status, 400);
    let longer = format!(r#"{{"position":"{}"}}"#, "4".repeat(300_000));
    assert_eq!(server.ask("position", &longer).status, 413);
    let mut lines = server.head_lines("position");
    lines[3] = "Content-Type: text/plain".to_owned();
    let plain = server.send(&lines.each_ref().map(String::as_str), "{}");
    assert_eq!(plain.status, 415);
    assert_eq!(
        server
            .send(&["GET /etc/passwd HTTP/1.1", &lines[1]], "")
            .status,
        404
    );
}

#[test]
fn engines_answer_over_the_wire() {
    let server = Server::new();
    let answer = server.ask(
        "move",
        r#"{"position":"connect4 444333","engine":"best","time_ms":2000}"#,
    );
    assert_eq!(answer.status, 200);
    assert!(answer.head.contains("content-type: text/event-stream"));
    assert!(answer.body.contains(r#""final":true"#), "{}", answer.body);
    let review = server.ask("review", r#"{"position":"connect4 1"}"#);
    assert!(
        review.body.contains(r#""verdict":"blunder""#),
        "{}",
        review.body
    );
    let stones = server.ask("swap2", r#"{"position":"gomoku","seed":5}"#);
    assert_eq!(stones.body.matches("cell").count(), 3, "{}", stones.body);
    let side = server.ask("swap2", r#"{"position":"gomoku h8 a1 i8","seed":5}"#);
    assert_eq!(side.body, r#"{"take":0}"#);
    assert_eq!(
        server
            .ask("swap2", r#"{"position":"connect4","seed":5}"#)
            .status,
        400
    );
    let puzzle = server.ask("puzzle", r#"{"game":"connect4","plies":3,"seed":5}"#);
    assert!(puzzle.body.contains(r#""plies":3"#), "{}", puzzle.body);
}

/// A hundred clients want to search at once: never more run than there are
/// slots, everyone gets an answer, and the page stays at hand.
#[test]
fn searches_never_exceed_the_cores() {
    let server = Server::new();
    let body = r#"{"position":"course:12x12@5,5","engine":"mcts:simulations=2000"}"#;
    let statuses: Vec<u16> = thread::scope(|scope| {
        let clients: Vec<_> = (0..100)
            .map(|_| scope.spawn(|| server.ask("move", body).status))
            .collect();
        let page = server.page(&[&format!("Host: {}", server.host)]);
        assert_eq!(page.status, 200);
        clients
            .into_iter()
            .map(|client| client.join().unwrap())
            .collect()
    });
    assert!(
        statuses.iter().all(|status| matches!(status, 200 | 503)),
        "{statuses:?}"
    );
    assert!(statuses.contains(&200));
    let searches = &server.status()["searches"];
    assert!(
        searches["peak"].as_u64() <= searches["total"].as_u64(),
        "{searches}"
    );
    assert_eq!(searches["running"], 0, "{searches}");
}

/// Slots come back when readers leave: more readers than slots, one after another.
#[test]
fn a_search_ends_when_its_reader_leaves() {
    let server = Server::new();
    let total = server.status()["searches"]["total"].as_u64().unwrap();
    for _ in 0..3 * total {
        let mut stream = server.connect();
        let head = server.head_lines("analyse").join("\r\n");
        let body = r#"{"position":"course:12x12@5,5"}"#;
        let length = body.len();
        write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line).unwrap();
        assert!(line.contains("200"), "{line}");
        drop(stream);
    }
    // The last ones end as well, without anybody asking them to.
    while server.status()["searches"]["running"] != 0 {
        thread::yield_now();
    }
}
