import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { NotFoundError, verifyWebhook, WebhookSignatureError } from "../../../clients/js/index.js";
import { projectRoot } from "../../../server/kernel/project-root";
import { all, errorOf, rollcall, SOON } from "./client-stage";

/** The client's calls for webhooks, and its check of signatures. */
export function webhooksSuite(): void {
  describe("webhooks", () => {
    type Delivery = { body: string; headers: IncomingMessage["headers"] };
    let receiver: Server;
    let deliveries: Delivery[] = [];
    let hook: { url: string; events: ("subscriber.created" | "subscriber.erased")[] };
    beforeEach(async () => {
      deliveries = [];
      receiver = createServer(async (request, response) => {
        deliveries.push({
          body: Buffer.concat(await request.toArray()).toString(),
          headers: request.headers,
        });
        response.writeHead(204).end();
      });
      await once(receiver.listen(0, "127.0.0.1"), "listening");
      const { port } = receiver.address() as AddressInfo;
      hook = { url: `http://127.0.0.1:${port}/hook`, events: ["subscriber.created", "subscriber.erased"] };
      return () => receiver.close();
    });

    it("are created, changed, tested, listed with their messages, and deleted", async () => {
      const { webhooks } = rollcall;
      // It begins at the position from which the list was read.
      const after = await rollcall.changes.position();
      await rollcall.subscribers.create({ email: "ada@example.org" });
      const { id, secret } = await webhooks.create({ ...hook, after });
      expect(await webhooks.test(id)).toMatchObject({ delivered: true, status: 204 });
      const tested = deliveries.find(({ body }) => body.includes('"test"'));
      const message = await verifyWebhook(tested?.body ?? "", tested?.headers ?? {}, secret);
      expect(message).toMatchObject({ type: "test", number: 0 });
      const delivered = () => all(webhooks.messages(id, { state: "delivered" }));
      await expect.poll(async () => (await delivered()).length, SOON).toBe(1);
      expect(await webhooks.retry(id, 1)).toMatchObject({ number: 1, type: "subscriber.created" });
      await expect.poll(() => deliveries.length, SOON).toBe(3);
      const turned = await webhooks.rotateSecret(id);
      expect(turned.secret).not.toBe(secret);
      expect(await webhooks.update(id, { description: "Shop" })).toMatchObject({ description: "Shop" });
      expect(await webhooks.list()).toMatchObject([{ id, description: "Shop" }]);
      expect(await webhooks.get(id)).toMatchObject({ enabled: true });
      await webhooks.delete(id);
      expect(await errorOf(webhooks.get(id))).toBeInstanceOf(NotFoundError);
    });

    it("have messages that are verified with the secret, as text or bytes, with the headers of Node.js or of fetch", async () => {
      const { id, secret } = await rollcall.webhooks.create(hook);
      const { id: personId } = await rollcall.subscribers.create({ email: "zoe@example.org", name: "Zoë 𝛑" });
      await expect.poll(() => deliveries.length, SOON).toBe(1);
      const [{ body, headers } = { body: "", headers: {} }] = deliveries;
      const message = await verifyWebhook(body, headers, secret);
      expect(message).toMatchObject({ type: "subscriber.created", number: 1 });
      if (message.type === "subscriber.created" && "subscriber" in message.data)
        expect(message.data.subscriber).toMatchObject({ id: personId, name: "Zoë 𝛑" });
      else expect.unreachable();
      const ofFetch = new Headers(headers as Record<string, string>);
      expect(await verifyWebhook(Buffer.from(body), ofFetch, secret)).toEqual(message);

      const refused = async (text: string, given: Record<string, string>, by = secret) =>
        expect(await errorOf(verifyWebhook(text, { ...headers, ...given }, by))).toBeInstanceOf(
          WebhookSignatureError,
        );
      const signature = String(headers["webhook-signature"]);
      const seconds = Number(headers["webhook-timestamp"]);
      await refused(`${body} `, {});
      await refused(body, { "webhook-id": "msg_other" });
      await refused(body, { "webhook-timestamp": String(seconds + 1) });
      await refused(body, { "webhook-timestamp": "" });
      await refused(body, { "webhook-signature": "" });
      await refused(body, { "webhook-signature": signature.replace("v1,", "v1a,") });
      await refused(body, { "webhook-signature": "v1,*** v1, v2" });
      await refused(body, {}, `whsec_${Buffer.alloc(32).toString("base64")}`);
      const twice = { ...headers, "webhook-signature": `v1,${btoa("another")} ${signature}` };
      expect(await verifyWebhook(body, twice, secret)).toEqual(message);
      for (const missing of ["whsec_*", "", undefined])
        await expect(verifyWebhook(body, headers, missing)).rejects.toThrow(TypeError);

      // During a rotation, both secrets verify.
      const { secret: second } = await rollcall.webhooks.rotateSecret(id);
      await rollcall.subscribers.erase(personId);
      await expect.poll(() => deliveries.length, SOON).toBe(2);
      const last = deliveries[1] as Delivery;
      for (const one of [secret, second])
        expect(await verifyWebhook(last.body, last.headers, one)).toMatchObject({
          type: "subscriber.erased",
          data: { subscriber_id: personId },
        });
    });

    it("have signatures like the published ones, for five minutes before and after", async () => {
      type Vector = { secret: string; id: string; timestamp: string; body: string; signature: string };
      const file = join(projectRoot(), "e2e/vectors/webhook-signatures.json");
      const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync(file, "utf8"));
      for (const { secret, id, timestamp, body, signature } of vectors) {
        const headers = { "Webhook-Id": id, "Webhook-Timestamp": timestamp, "Webhook-Signature": signature };
        for (const seconds of [-301, -300, 0, 300, 301]) {
          vi.useFakeTimers({ toFake: ["Date"], now: (Number(timestamp) + seconds) * 1000 });
          const verified = await verifyWebhook(body, headers, secret).then(
            (message) => message,
            (error: Error) => error.name,
          );
          vi.useRealTimers();
          expect(verified).toEqual(Math.abs(seconds) > 300 ? "WebhookSignatureError" : JSON.parse(body));
        }
      }
    });
  });
}
