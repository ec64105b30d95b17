import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { findNewsletter, lockNewsletter, type NewsletterRow } from "../accounts/shared-queries";
import { invalidField, parse } from "../kernel/errors";
import { isId } from "../kernel/ids";
import { languageOf } from "../kernel/languages";
import type { Db, Tx } from "../platform/db/client";
import { type FieldRow, listFieldRows } from "../subscribers/shared-queries";
import {
  findSignUpPage,
  findWording,
  insertWording,
  type SignUpPageRow,
  writeSignUpPage,
} from "./queries/sign-up-pages";
import { defaultWordings } from "./schema/sign-up-page";
import { SignUpSettings } from "./schema/sign-up-settings";

export type SignUpField = Pick<FieldRow, "key" | "label" | "type" | "choices" | "required">;

export type SignUpView = {
  newsletter: { id: string; name: string; language: string };
  title: string;
  introduction: string;
  wording: { text: string; version: number };
  asksName: boolean;
  /** In the newsletter's order, always with the required fields. */
  fields: SignUpField[];
};

/** Renders the page's HTML and the form for other sites. The public pages belong to another adapter. */
export type SignUpRenderer = {
  page(view: SignUpView): Promise<string>;
  form(view: SignUpView, appUrl: string): Promise<string>;
};

type Newsletter = Pick<NewsletterRow, "id" | "accountId" | "name" | "language">;
type OfSettings = { newsletter: Newsletter; settings: SignUpSettings };

/** Returns a newsletter's sign-up page. Null when the page doesn't exist or is off, or the newsletter is archived. */
export async function findOpenSignUpPage(
  { db }: { db: Db | Tx },
  { newsletterId: id }: { newsletterId: string },
): Promise<SignUpView | null> {
  const page = isId(id) ? await findSignUpPage(db, id) : null;
  const newsletter = page?.isOn ? await findNewsletter(db, id) : null;
  if (!page || !newsletter || newsletter.archivedAt !== null) return null;
  const rows = await listFieldRows(db, newsletter.id);
  return viewOf(newsletter, rows, settingsOf(page, rows, newsletter));
}

/**
 * Returns the consent wording that a form names. A form on another site may name an older version than the page's. An
 * unknown version returns the page's own wording.
 */
export async function wordingOf(
  { db }: { db: Db },
  { view: { newsletter, wording }, version }: { view: SignUpView; version: string },
) {
  if (!/^\d{1,9}$/.test(version) || Number(version) === wording.version) return wording;
  return (await findWording(db, newsletter.id, Number(version))) ?? wording;
}

/** `version` 0: nothing is saved yet, and the settings are the form's defaults. */
type SavedSignUp = { settings: SignUpSettings; version: number; wordingVersion: number };

/** The saved settings, or the form's defaults while there is no page. */
function settingsOf(page: SignUpPageRow | null, rows: FieldRow[], { language }: Newsletter): SavedSignUp {
  if (!page) {
    const wording = defaultWordings[languageOf(language)];
    const settings = { isOn: false, title: "", introduction: "", wording, asksName: true, fields: [] };
    return { settings, version: 0, wordingVersion: 0 };
  }
  const { isOn, title, introduction, wording, asksName, version } = page;
  const fields = rows.filter(({ number }) => page.fields.includes(number)).map(({ key }) => key);
  const settings = { isOn, title, introduction, wording: wording.text, asksName, fields };
  return { settings, version, wordingVersion: wording.version };
}

const CHANGED =
  "The sign-up page was changed since you opened it. Your changes were not saved. Reload to see the current version.";

/** Returns the wording's version, a new version for a changed text. */
async function versionOf(tx: Tx, newsletterId: string, text: string, before: SignUpPageRow | null) {
  if (before?.wording.text === text) return before.wording.version;
  const version = (before?.wording.version ?? 0) + 1;
  await insertWording(tx, { newsletterId, version, text });
  return version;
}

const changedBetween = (before: SignUpSettings, after: SignUpSettings) =>
  (Object.keys(after) as (keyof SignUpSettings)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );

/**
 * Saves the settings of the sign-up page. A changed wording becomes a new version. Each version is kept as long as the
 * newsletter.
 * @param input version: the version that was read, 0 for none
 * @throws AppError validation_error, on `version` when another request saved first
 */
export function saveSignUpSettings(
  ctx: ActorContext,
  { newsletter, ...input }: OfSettings & { version: number },
): Promise<{ version: number }> {
  const settings = parse(SignUpSettings, input.settings);
  const { id: newsletterId, accountId } = newsletter;
  return withTransaction(ctx, async (tx) => {
    // The lock also prevents fields from being deleted meanwhile.
    await lockNewsletter(tx, newsletterId);
    const before = await findSignUpPage(tx, newsletterId);
    if ((before?.version ?? 0) !== input.version) throw invalidField("version", CHANGED);
    const rows = await listFieldRows(tx, newsletterId);
    const { isOn, title, introduction, wording, asksName } = settings;
    const fields = rows.filter(({ key }) => settings.fields.includes(key)).map(({ number }) => number);
    if (fields.length !== new Set(settings.fields).size)
      throw invalidField("fields", "One of these fields was deleted. Nothing was saved. Reload this page.");
    const changed = changedBetween(settingsOf(before, rows, newsletter).settings, settings);
    if (before && changed.length === 0) return { version: before.version };
    const wordingVersion = await versionOf(tx, newsletterId, wording, before);
    const version = input.version + 1;
    const page = { isOn, title, introduction, wordingVersion, asksName, fields, version };
    await writeSignUpPage(tx, { newsletterId, ...page });
    const detail = { changed, ...(changed.includes("isOn") && { isOn }) };
    const action = "newsletter.sign_up_page_changed";
    await record(ctx, tx, { accountId, newsletterId, action, subjectId: newsletterId, detail });
    return { version };
  });
}

/** @param rows the newsletter's fields */
function viewOf(
  { id, name, language }: Newsletter,
  rows: FieldRow[],
  { settings, wordingVersion: version }: Pick<SavedSignUp, "settings" | "wordingVersion">,
): SignUpView {
  const { title, introduction, wording: text, asksName, fields: keys } = settings;
  const fields = rows
    .filter(({ key, required }) => required || keys.includes(key))
    .map(({ key, label, type, choices, required }) => ({ key, label, type, choices, required }));
  const wording = { text, version };
  return { newsletter: { id, name, language }, title, introduction, wording, asksName, fields };
}

type RenderCtx = { db: Db; signUpPages: SignUpRenderer };

/** Renders the page with these settings, saved or not. @throws AppError validation_error */
export async function previewSignUpPage(
  { db, signUpPages }: RenderCtx,
  { newsletter, settings }: OfSettings,
): Promise<{ html: string }> {
  const rows = await listFieldRows(db, newsletter.id);
  const unsaved = { settings: parse(SignUpSettings, settings), wordingVersion: 0 };
  return { html: await signUpPages.page(viewOf(newsletter, rows, unsaved)) };
}

/** Returns the page's settings, its URL, and the form for other sites, with and without its script. */
export async function getSignUpPage(
  { db, signUpPages, appUrl }: RenderCtx & { appUrl: string },
  { newsletter }: { newsletter: Newsletter },
): Promise<SavedSignUp & { url: string; forms: { plain: string; inline: string } }> {
  const rows = await listFieldRows(db, newsletter.id);
  const saved = settingsOf(await findSignUpPage(db, newsletter.id), rows, newsletter);
  const url = `${appUrl}/s/${newsletter.id}`;
  const plain = await signUpPages.form(viewOf(newsletter, rows, saved), appUrl);
  return {
    ...saved,
    url,
    forms: { plain, inline: `${plain}\n<script src="${url}/form.js" async></script>` },
  };
}
