import { deleteTag, updateTag } from "../bulk-actions/retag";
import { parse } from "../kernel/errors";
import * as fields from "../subscribers/fields";
import { FieldPatch, NewField, TagPatch } from "../subscribers/schema/fields";
import * as tags from "../subscribers/tag-changes";
import { type Answer, success } from "./envelope";
import { type RestContext, readBody } from "./read-request";

async function listFields({ ctx, of }: RestContext): Promise<Answer> {
  return success(200, await fields.listFields(ctx, of));
}

async function createField(context: RestContext): Promise<Answer> {
  const value = await readBody(context);
  const field = parse(NewField, value);
  return success(201, await fields.createField(context.ctx, { ...context.of, field }));
}

async function updateField(context: RestContext): Promise<Answer> {
  const value = await readBody(context);
  const change = { key: context.id, patch: parse(FieldPatch, value) };
  return success(200, await fields.updateField(context.ctx, { ...context.of, ...change }));
}

async function deleteField(context: RestContext): Promise<Answer> {
  return success(200, await fields.deleteField(context.ctx, { ...context.of, key: context.id }));
}

async function listTags({ ctx, of }: RestContext): Promise<Answer> {
  return success(200, await tags.listTags(ctx, of));
}

const ofTag = (context: RestContext) => ({ ...context.of, name: decodeURIComponent(context.id) });

async function changeTag(context: RestContext): Promise<Answer> {
  const patch = parse(TagPatch, await readBody(context));
  const { tag } = await updateTag(context.ctx, { ...ofTag(context), patch, merge: true });
  return success(200, tag);
}

async function removeTag(context: RestContext): Promise<Answer> {
  const { tag } = await deleteTag(context.ctx, ofTag(context));
  return success(200, tag);
}

export const fieldEndpoints = {
  listFields,
  createField,
  updateField,
  deleteField,
  listTags,
  updateTag: changeTag,
  deleteTag: removeTag,
};
