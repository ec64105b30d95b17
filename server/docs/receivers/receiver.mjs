import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = Buffer.from(process.env.ROLLCALL_SECRET.replace("whsec_", ""), "base64");

function isSigned(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false;
  const expected = createHmac("sha256", secret).update(`${id}.${time}.${body}`).digest();
  return signatures.split(" ").some((one) => {
    const given = Buffer.from(one.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  const message = JSON.parse(body);
  console.log(message.number, message.type); // store it, and ignore numbers that you have stored
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 8000), "127.0.0.1");
