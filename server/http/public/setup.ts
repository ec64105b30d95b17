import type { AppContext } from "../../app";
import { toAppError } from "../../errors";
import { readSetupToken, setUp } from "../../services/installation";
import { readForm } from "../body";
import type { Visit } from "./handler";
import type { Answer } from "./page";
import { setupClosedPage } from "./plain-pages";
import { setupDonePage, setupFields, setupForm } from "./setup-pages";

/** /setup?token=…: claims the installation, once. */
export async function answerSetup(app: AppContext, visit: Visit): Promise<Answer> {
  const token = visit.url.searchParams.get("token") ?? "";
  if (!(await readSetupToken(app, token))) return setupClosedPage();
  if (visit.method === "GET") return setupForm();
  const form = await readForm(visit.request);
  const [account, newsletter, email, password] = setupFields.map((name) => form.get(name) ?? "") as [
    string,
    string,
    string,
    string,
  ];
  const ctx = {
    db: app.db,
    actor: { kind: "link", address: visit.address } as const,
    requestId: visit.requestId,
  };
  try {
    return setupDonePage(await setUp(ctx, { account, newsletter, email, password }), app.appUrl);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== "validation_error") throw thrown;
    // Somebody else was quicker: the link has been used meanwhile.
    if (!(await readSetupToken(app, token))) return setupClosedPage();
    return setupForm({ account, newsletter, email }, error.errors);
  }
}
