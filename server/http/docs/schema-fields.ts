export type Schema = { [key: string]: unknown };

/** One line of a table about a JSON value: where it is, its type, what it means. */
export type SchemaField = { path: string; type: string; isRequired: boolean; description: string };

type Schemas = Record<string, Schema>;

function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
  return name === undefined ? schema : (schemas[name] ?? {});
}

function typeOf(given: Schema, schemas: Schemas): string {
  const schema = resolved(given, schemas);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeOf(one, schemas)).join(" | ");
  if (schema.type === "array") return `${typeOf((schema.items ?? {}) as Schema, schemas)}[]`;
  return String(schema.format ?? schema.type ?? "any");
}

/** The bounds that a schema sets, in words. */
function boundsOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, default: fallback } = schema;
  const range = (from: unknown, to: unknown, unit: string) =>
    from === undefined && to === undefined ? [] : [`${from ?? 0} to ${to ?? "any number of"}${unit}`];
  return [
    ...range(minLength, maxLength, " characters"),
    ...range(minItems, maxItems, " items"),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
  ].join("; ");
}

/** The fields of a schema with those inside them, as `data.created[].email`. */
export function schemaFields(given: Schema, schemas: Schemas, at = ""): SchemaField[] {
  const schema = resolved(given, schemas);
  if (schema.type === "array") return schemaFields((schema.items ?? {}) as Schema, schemas, `${at}[]`);
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Schemas).flatMap(([name, property]) => {
    const path = at === "" ? name : `${at}.${name}`;
    const own = resolved(property, schemas);
    const description = [property.description ?? own.description, boundsOf(own)].filter(Boolean).join(" ");
    const field = { path, type: typeOf(property, schemas), isRequired: required.includes(name), description };
    return [field, ...schemaFields(property, schemas, path)];
  });
}
