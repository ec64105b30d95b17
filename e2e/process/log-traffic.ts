import type { TRPCClientError } from "@trpc/client";
import { ListUpload } from "../../components/imports/reading/upload-list";
import { countAdded } from "../../server/imports/schema/import-counts";
import { authRoutes } from "../../server/staff/sign-in/auth-routes";
import { BULK, SUBSCRIBERS } from "../contract/client";
import type { FakeResend, Fault } from "../fixtures/fake-resend";
import { payloadOf, sendWebhook } from "../fixtures/fake-resend-webhooks";
import type { Staff } from "../fixtures/staff";

/** Part of every secret and address of the traffic; `issued` has what the server made. */
export const MARK = "zq9vk7";
export const WEBHOOK_SECRET = `whsec_${Buffer.from(`${MARK} a webhook's signing secret`).toString("base64")}`;
/** The owner of a site. */
export const OWNER = { email: "ada@lovelace.org", password: "correct horse battery" };

export type LogStage = {
  url: string;
  key: string;
  newsletterId: string;
  fake: FakeResend;
  staff: Staff;
  /** Keys, cookies and tokens that the server gave out. */
  issued: Set<string>;
};

let count = 0;
const address = () => `a${MARK}${++count}@d${count % 7}.example`;
const oddAddresses = () => [
  `"a ${MARK}"@list.example`,
  `ä${MARK}@bücher.example`,
  `a${MARK}@localhost`,
  `a+${MARK}@[192.0.2.1]`,
  `a${MARK}@d.example,b${MARK}@d.example`,
  `<a${MARK}@d.example>`,
  `mailto:a${MARK}@d.example?subject=x`,
  `a${MARK}\u0000@d.example`,
  `a${MARK}@${"d".repeat(300)}.example`,
  `${MARK.repeat(60)}@d.example`,
];
const wrongKey = () => `sk_${MARK}${String(++count).padStart(26, "0")}`;
const anyOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;

async function post(stage: LogStage, path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(stage.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", origin: stage.url, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  for (const cookie of answer.headers.getSetCookie()) issue(stage, /=([^;]{16,})/.exec(cookie)?.[1]);
  return { status: answer.status, text: await answer.text() };
}

/** Sends a form of a page, as its button does. */
const sendForm = (stage: LogStage, path: string, fields: Record<string, string>) =>
  post(stage, path, String(new URLSearchParams(fields)), {
    "content-type": "application/x-www-form-urlencoded",
  });

function issue({ issued }: LogStage, secret: string | undefined): void {
  if (secret === undefined) return;
  issued.add(secret).add(decodeURIComponent(secret));
}

/** Opens a page, and reads it. */
const visit = async (stage: LogStage, path: string, init?: RequestInit) =>
  (await fetch(stage.url + path, init)).text();

const rest = (stage: LogStage, path: string, body: unknown, headers = {}) =>
  post(stage, path, body, { authorization: `Bearer ${stage.key}`, ...headers });

/** Rejections by the dashboard's API are part of the traffic. */
const tried = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: TRPCClientError<never>) => {
    if (error.name !== "TRPCClientError") throw error;
    return null;
  });

async function importList(stage: LogStage) {
  const { newsletterId } = stage;
  const { imports } = stage.staff.trpc;
  const rows = Array.from({ length: 20 }, (_, i) => ({
    line: i + 1,
    email: address(),
    status: "pending" as const,
  }));
  const rejected = [{ line: 21, text: anyOf(oddAddresses()), reason: "syntax" }];
  const plan = { rows, rejected, fileName: `${MARK}.csv`, statusRule: "pending" as const };
  const made = await tried(new ListUpload(imports, { newsletterId }, plan as never).plan());
  if (!made) return;
  const consent = { source: "the fair", wording: "", people: countAdded(made.counts) };
  await tried(imports.commit.mutate({ newsletterId, importId: made.importId, digest: made.digest, consent }));
}

/** Invites a teammate, who tries a wrong token and then joins. */
async function invite(stage: LogStage) {
  const invitation = { email: address(), role: "editor" as const };
  const made = await tried(stage.staff.trpc.account.invite.mutate({ invitation }));
  const token = made?.url.split("/").at(-1);
  issue(stage, token);
  const joining = { name: "Grace", password: `${MARK} is a new password` };
  for (const one of [`${MARK}${"x".repeat(26)}`, token])
    if (one) await sendForm(stage, `/join/${one}`, joining);
}

/** Requests a password reset, and fails to set a password with its link and with a wrong one. */
async function reset(stage: LogStage) {
  const { own } = stage.staff.trpc;
  for (const email of [OWNER.email, anyOf(oddAddresses())]) await sendForm(stage, "/forgot", { email });
  await tried(own.changeEmail.mutate({ email: address() }));
  const links = stage.fake.mails
    .slice(-500)
    .flatMap(({ text }) => /\/(?:reset|confirm-email)\/([\w-]{32})/.exec(text ?? "")?.[1] ?? []);
  for (const token of links) issue(stage, token);
  for (const token of [anyOf(links), `${MARK}${"x".repeat(26)}`]) {
    if (!token) continue;
    await visit(stage, `/reset/${token}`);
    await sendForm(stage, `/reset/${token}`, { password: MARK });
    await sendForm(stage, `/confirm-email/${token}x`, {});
  }
}

/** Follows the link of an email, and invalid ones. */
async function follow(stage: LogStage) {
  const mail = anyOf(stage.fake.mails);
  const token = /\/confirm\/([A-Za-z0-9_-]{92})/.exec(mail?.text ?? "")?.[1];
  issue(stage, token);
  for (const one of [token, `${MARK}${"A".repeat(86)}`, `${token}.`, `%ff${MARK}`]) {
    await visit(stage, `/confirm/${one}`);
    const body = new URLSearchParams({ action: anyOf(["confirm", "unsubscribe", "deny", MARK]) });
    await visit(stage, `/confirm/${one}`, { method: "POST", body });
  }
}

async function report(stage: LogStage) {
  const mail = anyOf(stage.fake.mails) ?? {
    id: MARK,
    to: address(),
    from: address(),
    subject: "x",
    at: new Date().toISOString(),
  };
  const url = `${stage.url}/api/webhooks/resend`;
  const type = anyOf(["email.bounced", "email.complained", "email.delivered", "email.failed"] as const);
  const more = { bounce: { message: `550 <${address()}> unknown`, type: "Permanent", subType: "General" } };
  await sendWebhook({ url, secret: WEBHOOK_SECRET }, payloadOf(mail, type, more));
  const wrong = `whsec_${Buffer.from(`${MARK} another secret`).toString("base64")}`;
  await sendWebhook({ url, secret: wrong }, payloadOf(mail, type));
  await sendWebhook({ url, secret: WEBHOOK_SECRET }, `{"type": "email.sent", "to": "${address()}"`);
}

async function signIn(stage: LogStage) {
  const password = `${MARK} is wrong`;
  for (const one of [OWNER, { email: OWNER.email, password }, { email: anyOf(oddAddresses()), password }]) {
    await post(stage, "/api/auth/sign-in/email", one);
    await sendForm(stage, "/sign-in", one);
  }
}

/** Every route of the sign-in library, with any input and a cookie of a wrong signature. */
const everyRoute = (stage: LogStage) =>
  Promise.all(
    [...Object.keys(authRoutes), `reset-password/${MARK}`, `verify-email?token=${MARK}`].map((route) => {
      const body = {
        ...{ email: address(), password: MARK, newPassword: `${MARK} new`, currentPassword: MARK },
        ...{ token: MARK, code: MARK, id: MARK },
      };
      const cookie = `rollcall.session_token=${MARK}.${MARK}; rollcall.two_factor=${MARK}`;
      return post(stage, `/api/auth/${route}`, body, { cookie });
    }),
  );

async function badInput(stage: LogStage) {
  await post(stage, "/api/trpc/own.rename", { json: { name: [MARK, address()] } });
  await post(stage, "/api/trpc/people.add", `{"json": {"person": {"email": "${address()}"`);
  await tried(
    stage.staff.trpc.people.add.mutate({
      newsletterId: stage.newsletterId,
      person: { email: anyOf(oddAddresses()) } as never,
    }),
  );
  for (const email of oddAddresses()) await rest(stage, SUBSCRIBERS, { email, name: `${MARK}\u0000` });
  await rest(stage, BULK, [
    { email: address(), custom: { x: address() } },
    { email: address(), password: MARK },
  ]);
  await rest(stage, `${SUBSCRIBERS}?email=${encodeURIComponent(address())}&token=${MARK}`, "{");
  await post(
    stage,
    `/api/v1/${address()}?api_key=${wrongKey()}`,
    {},
    { authorization: `Basic ${Buffer.from(`${MARK}:${MARK}`).toString("base64")}` },
  );
  await visit(stage, "/api/health", { headers: { authorization: `Bearer ${MARK}` } });
  await visit(stage, `/setup?token=${MARK}`);
  await visit(stage, `/sign-in?next=/${MARK}&email=${address()}`);
}

const faults = (): Fault[] => [
  { kind: "error", times: 1, status: 500, message: `no luck with ${address()} and re_${MARK}${MARK}` },
  { kind: "error", times: 1, status: 401, name: "invalid_api_key", message: `re_${MARK}${MARK} is invalid` },
  { kind: "error", times: 1, status: 422, name: "validation_error", message: `Invalid \`to\`: ${address()}` },
  { kind: "reset", times: 1 },
  { kind: "reset", times: 1, after: true },
  { kind: "garbage", times: 1 },
  { kind: "rate", times: 1, seconds: 1 },
];

const add = async (stage: LogStage) => {
  await rest(stage, SUBSCRIBERS, { email: address(), status: "pending" });
  await rest(
    stage,
    BULK,
    Array.from({ length: 20 }, () => ({ email: address(), status: anyOf(["pending", "active"]) })),
  );
};

/** One round of everything. */
export async function playRound(stage: LogStage): Promise<void> {
  stage.fake.fault(anyOf(faults()), anyOf(faults()));
  const steps = [add, add, add, follow, report, badInput, invite, reset, importList, everyRoute, signIn];
  await Promise.all(steps.map((step) => step(stage)));
}

const BATCH = 50;

/** So many requests that are rejected and logged. */
export async function rejections(stage: LogStage, wanted: number): Promise<void> {
  const shapes = [
    () => ({ authorization: `Bearer ${wrongKey()}`, body: `{"email":"${address()}"}` }),
    () => ({
      authorization: `Bearer ${stage.key}`,
      body: `{"email":"${address()} ${MARK}","password":"${MARK}"}`,
    }),
    () => ({ authorization: `Bearer ${stage.key}`, body: `{"email":"a${MARK}@` }),
    () => ({ authorization: `Token ${MARK}`, body: `{"token":"${MARK}"}` }),
  ];
  for (let sent = 0; sent < wanted; sent += BATCH) {
    const requests = Array.from({ length: BATCH }, (_, i) => {
      const { authorization, body } = anyOf(shapes)();
      // With an unknown parameter the body is not read.
      const query = i % 2 === 0 ? `?from=${address()}` : "";
      const cookie = `rollcall.session_token=${MARK}`;
      return post(stage, SUBSCRIBERS + query, body, { authorization, cookie });
    });
    await Promise.allSettled(requests);
  }
}
