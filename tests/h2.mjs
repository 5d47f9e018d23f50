// h2.mjs KEY CERT PORT PORT-FILE  HTTP/2 over TLS in front of the plain endpoint at PORT.
//
// A line for each request that was answered goes to standard output: protocol, connection, and how many
// were open on that connection. Three things that servers do happen here on purpose: every 40th stream is reset
// unanswered, a connection is told to go (GOAWAY) after 100 requests, and once, at the 250th, all are cut.
import fs from "node:fs";
import http from "node:http";
import http2 from "node:http2";

const [key, cert, port, portFile] = process.argv.slice(2);
const server = http2.createSecureServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert), allowHTTP1: true });
const upstream = new http.Agent({ keepAlive: true });
const sessions = new Set();
let seen = 0, begun = 0;

server.on("session", (session) => {
  session.number = ++begun;
  session.open = session.taken = 0;
  sessions.add(session);
  session.on("close", () => sessions.delete(session));
  session.on("error", () => {});
});

server.on("request", (request, response) => {
  const session = request.stream?.session;
  if (!session) return answer(request, response, () => "HTTP/1.1");
  session.open++;
  request.stream.on("close", () => session.open--);
  request.stream.on("error", () => {});
  seen++;
  if (seen === 250) return sessions.forEach((s) => s.destroy());
  if (seen % 40 === 0) return request.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
  if (++session.taken === 100) session.close();
  answer(request, response, () => `HTTP/2 ${session.number} ${session.open}`);
});

function answer(request, response, words) {
  const asked = http.request({ port, path: request.url, method: request.method, agent: upstream,
    headers: { "content-type": "application/json", "content-length": request.headers["content-length"] ?? 0 } }, (reply) => {
    if (!response.stream?.destroyed) response.writeHead(reply.statusCode, { "content-type": reply.headers["content-type"] });
    console.log(words());
    reply.pipe(response);
  });
  asked.on("error", () => response.stream?.destroy());
  request.pipe(asked);
}

server.listen(0, "127.0.0.1", () => fs.writeFileSync(portFile, `${server.address().port}\n`));
