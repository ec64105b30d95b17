import { expect, test } from "vitest";
import { newId } from "../../kernel/ids";
import { suppressAddress } from "../../test/linked-person";
import { bench, openBenchForTests, weekly } from "../../test/mail-bench";
import { people } from "../../test/mail-fixture";

openBenchForTests();

test("mails that must not be sent any more are cancelled with a reason", async () => {
  const ids = await bench.add(weekly, people(6));
  await bench.db.$executeRaw`UPDATE subscribers SET status = 'active' WHERE id = ${ids[0]}::uuid`;
  await bench.db.$executeRaw`UPDATE subscribers SET email = 'new@list.example' WHERE id = ${ids[1]}::uuid`;
  await suppressAddress(bench.db, weekly, { email: "person2@list.example", reason: "denied" });
  const other = await bench.newsletter();
  await suppressAddress(bench.db, other, { email: "person5@list.example", reason: "denied" });
  await bench.db.$executeRaw`DELETE FROM subscribers WHERE id = ${ids[3]}::uuid`;
  await bench.db.$executeRaw`
    UPDATE mails SET link_expires_at = now() - interval '1 second' WHERE subscriber_id = ${ids[4]}::uuid`;
  await bench.deliver();
  const mails = await bench.finished();
  expect(mails.map((mail) => [mail.to_email, mail.state, mail.error_code])).toEqual([
    ["person0@list.example", "cancelled", "not_pending"],
    ["person1@list.example", "cancelled", "address_changed"],
    ["person2@list.example", "cancelled", "suppressed"],
    ["person4@list.example", "cancelled", "link_expired"],
    ["person5@list.example", "sent", null],
  ]);
  expect(mails.slice(0, 4).every((mail) => (mail.error_message ?? "").length > 20)).toBe(true);
  expect(bench.fake.mails.map((mail) => mail.to)).toEqual([["person5@list.example"]]);
});

test("waiting mails of all newsletters share as few requests as possible", async () => {
  const sender = "Daily News <daily@list.example>";
  const daily = await bench.newsletter({ name: "Daily", sender, replyTo: "desk@list.example" });
  await bench.add(daily, people(100, "d"));
  await bench.add(weekly, people(100, "w"));
  for (let i = 0; i < 30; i++) await bench.add(weekly, [`single${i}@list.example`]);
  await bench.deliver();
  const mails = await bench.finished();
  expect(bench.fake.requests.map((request) => request.size).sort((a, b) => b - a)).toEqual([100, 100, 30]);
  expect(new Set(bench.fake.mails.map((mail) => String(mail.to))).size).toBe(230);
  expect(mails.every((mail) => mail.state === "sent")).toBe(true);
  const [d, w] = ["d", "w"].map((prefix) =>
    bench.fake.mails.find((mail) => String(mail.to).startsWith(prefix)),
  );
  expect(d).toMatchObject({ from: "Daily News <daily@list.example>", reply_to: "desk@list.example" });
  expect(w).toMatchObject({
    from: "Rollcall <hello@list.example>",
    subject: "Confirm your subscription to Weekly",
  });
  expect(w?.reply_to).toBeUndefined();
});

test("a mail has its own person's link, in HTML and in text, and no name", async () => {
  const international = await bench.newsletter({
    name: 'Cats & "Dogs" <weekly>\r\nBcc: evil@list.example',
    language: "de-AT",
  });
  await bench.add(international, people(3));
  await bench.db.$executeRaw`UPDATE subscribers SET first_name = 'Zebedee'`;
  await bench.deliver();
  const mails = await bench.finished();
  expect(bench.fake.mails).toHaveLength(3);
  for (const [i, mail] of bench.fake.mails.entries()) {
    const link = `https://list.example/confirm/${mails[i]?.id}?a=1&b=2`;
    expect(mail.text?.split(link)).toHaveLength(2);
    expect(mail.html?.split(link.replace("&", "&amp;"))).toHaveLength(4);
    expect(mail.html).toContain('lang="de"');
    expect(mail.html).toContain("Cats &amp; &quot;Dogs&quot; &lt;weekly&gt; Bcc: evil@list.example");
    expect(mail.subject).toBe('Bitte bestätigen: Cats & "Dogs" <weekly> Bcc: evil@list.example');
    expect(mail.headers).toEqual({
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": `<https://list.example/unsubscribe/${mails[i]?.subscriber_id}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    expect(`${mail.html}${mail.text}`).not.toContain("Zebedee");
  }
});

test("a mail to the staff has no unsubscribe link", async () => {
  const words = { subject: "Hello", html: "<p>Hello</p>", text: "Hello" };
  const account = await bench.db.account.create({ data: { id: newId(), name: "Account" } });
  const staff = await bench.db.staffMember.create({
    data: { id: newId(), accountId: account.id, email: "ada@list.example", name: "Ada", role: "owner" },
  });
  await bench.db.$transaction((tx) =>
    bench.outbox.postToStaff(tx, { kind: "notice", staffId: staff.id, toEmail: staff.email, ...words }),
  );
  await bench.deliver();
  await bench.finished();
  expect(bench.fake.mails[0]?.headers).toEqual({ "Auto-Submitted": "auto-generated" });
});

test("an international domain is used in ASCII and stored as given", async () => {
  const [id] = await bench.add(weekly, ["Ada@bücher.example"]);
  await bench.db.$executeRaw`
    UPDATE subscribers SET email_canonical = 'ada@xn--bcher-kva.example' WHERE id = ${id}::uuid`;
  await bench.deliver();
  await bench.finished();
  expect(bench.fake.mails[0]?.to).toEqual(["Ada@xn--bcher-kva.example"]);
  expect((await bench.mails())[0]?.to_email).toBe("Ada@bücher.example");
});
