import { parse } from "../kernel/parse";
import * as fields from "../subscribers/fields";
import { FieldPatch, NewField } from "../subscribers/schema/fields";
import { type Answer, success } from "./envelope";
import { newsletterOf, type RestContext, readBody } from "./rest-context";

async function listFields({ ctx, principal }: RestContext): Promise<Answer> {
  return success(200, await fields.listFields(ctx, { newsletterId: principal.newsletterId }));
}

async function createField(context: RestContext): Promise<Answer> {
  const { value } = await readBody(context);
  const field = parse(NewField, value);
  return success(201, await fields.createField(context.ctx, { ...newsletterOf(context), field }));
}

async function updateField(context: RestContext): Promise<Answer> {
  const { value } = await readBody(context);
  const change = { key: context.id, patch: parse(FieldPatch, value) };
  return success(200, await fields.updateField(context.ctx, { ...newsletterOf(context), ...change }));
}

async function deleteField(context: RestContext): Promise<Answer> {
  return success(200, await fields.deleteField(context.ctx, { ...newsletterOf(context), key: context.id }));
}

export const fieldEndpoints = { listFields, createField, updateField, deleteField };
