import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = base64.b64decode(os.environ["ROLLCALL_SECRET"].removeprefix("whsec_"))

def is_signed(headers, body):
    sent = headers.get("webhook-timestamp", "0")
    if not sent.isdigit() or abs(time.time() - int(sent)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{sent}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = is_signed(self.headers, body)
        if signed:
            message = json.loads(body)
            print(message["number"], message["type"])  # store it, and ignore numbers that you have stored
        self.send_response(204 if signed else 401)
        self.end_headers()

HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Receiver).serve_forever()
