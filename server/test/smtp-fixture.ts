import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";

type ReceivedMail = { from: string; to: string; raw: string };
/** How the server treats an email; undefined: it accepts it. A number is the status of a rejection at that point. */
type Behaviour = {
  /** In response to RCPT TO. */
  refuse?: number;
  /** After the message. */
  reject?: number;
  /** How long the server takes to answer a message. */
  ms?: number;
};
/** Where the connection is cut: before the message, or after the server accepted it but before it answers. */
type Cut = "at RCPT" | "after the message";

const refusal = (responseCode: number) =>
  Object.assign(new Error(responseCode < 500 ? "come again later" : "no such mailbox"), { responseCode });

/**
 * Starts a real SMTP server on this machine, behind a connection that can be cut. @param secure TLS with a self-signed
 * certificate
 */
export async function startMailServer({ user = "list", pass = "a secret & more", secure = false } = {}) {
  const received: ReceivedMail[] = [];
  let behave: (to: string) => Behaviour = () => ({});
  let cut: { where: Cut | null; every: number } = { where: null, every: 1 };
  let conversations = 0;
  const server = new SMTPServer({
    authMethods: ["PLAIN", "LOGIN"],
    secure,
    ...(!secure && { disabledCommands: ["STARTTLS"] }),
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth(auth, _, done) {
      if (auth.username === user && auth.password === pass) done(null, { user });
      else done(Object.assign(new Error("wrong password"), { responseCode: 535 }));
    },
    onRcptTo({ address }, _, done) {
      const { refuse } = behave(address);
      done(refuse === undefined ? null : refusal(refuse));
    },
    async onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const to = envelope.rcptTo[0]?.address ?? "";
      const { reject, ms = 0 } = behave(to);
      if (reject !== undefined) return done(refusal(reject));
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      received.push({ from, to, raw: Buffer.concat(chunks).toString("utf8") });
      setTimeout(() => done(null), ms);
    },
  });
  server.on("error", () => {});
  const port = await listening(server.listen(0, "127.0.0.1") as Server);
  const line = await openLine(
    port,
    () => cut,
    () => conversations++,
  );
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(pass)}`;
  return {
    /** Leads through the proxy that can cut connections. */
    url: `smtp://${credentials}@127.0.0.1:${line.port}`,
    port: line.port,
    received,
    conversations: () => conversations,
    behave(next: typeof behave) {
      behave = next;
    },
    /** @param every cuts one of this many messages */
    cut(where: Cut | null, every = 1) {
      cut = { where, every };
    },
    async stop() {
      await line.stop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function listening(server: Server): Promise<number> {
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

async function openLine(
  target: number,
  cutAt: () => { where: Cut | null; every: number },
  opened: () => void,
) {
  const sockets = new Set<Socket>();
  let messages = 0;
  const line = createServer((client) => {
    opened();
    const upstream = connect(target, "127.0.0.1");
    let said = "";
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    client.on("data", (bytes) => {
      said = (said + bytes.toString("latin1")).slice(-200_000);
      const { where, every } = cutAt();
      if (where === "at RCPT" && /\r\nRCPT TO/.test(said))
        return void [client, upstream].map((one) => one.destroy());
      upstream.write(bytes);
      if (!said.includes("\r\n.\r\n")) return;
      said = "";
      // The server keeps what it received.
      if (where === "after the message" && ++messages % every === 0) client.destroy();
    });
    upstream.on("data", (bytes) => client.destroyed || client.write(bytes));
    client.on("close", () => upstream.end());
    upstream.on("close", () => client.end());
  });
  const port = await listening(line.listen(0, "127.0.0.1"));
  return {
    port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => line.close(() => resolve()));
    },
  };
}
