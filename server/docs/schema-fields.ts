export type Schema = { [key: string]: unknown };

/** One row of a table about a JSON value: path, type and meaning. */
export type SchemaField = { path: string; type: string; isRequired: boolean; description: string };

type Schemas = Record<string, Schema>;

/** The name of the schema that a reference names; undefined for another schema. */
export const referencedName = ({ $ref }: Schema) =>
  typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;

function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = referencedName(schema);
  return name === undefined ? schema : (schemas[name] ?? schema);
}

const choicesOf = ({ anyOf, oneOf }: Schema) => (anyOf ?? oneOf) as Schema[] | undefined;

function typeOf(given: Schema, schemas: Schemas): string {
  const schema = resolved(given, schemas);
  const name = referencedName(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = choicesOf(schema);
  if (choices) return choices.map((one) => typeOf(one, schemas)).join(" | ");
  if (schema.type === "array") return `${typeOf((schema.items ?? {}) as Schema, schemas)}[]`;
  return [schema.format ?? schema.type ?? "any"].flat().join(" | ");
}

function boundsOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, default: fallback } = schema;
  const range = (from: unknown, to: unknown, unit: string) =>
    from !== undefined
      ? [`${from} to ${to ?? "any number of"}${unit}`]
      : to !== undefined
        ? [`at most ${to}${unit}`]
        : [];
  return [
    ...range(minLength, maxLength, " characters"),
    ...range(minItems, maxItems, " items"),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
  ].join("; ");
}

/**
 * Returns the fields of a schema and its nested fields, as `data.created[].email`.
 * @param schemas the schemas to resolve references with; any other reference shows its name as type
 */
export function schemaFields(given: Schema, schemas: Schemas, at = ""): SchemaField[] {
  const schema = resolved(given, schemas);
  if (schema.type === "array") return schemaFields((schema.items ?? {}) as Schema, schemas, `${at}[]`);
  const choices = choicesOf(schema);
  if (choices) return choices.flatMap((one) => schemaFields(one, schemas, at));
  const required = (schema.required ?? []) as string[];
  // `*` stands for each key of an object with arbitrary keys.
  const others = schema.additionalProperties;
  const anyKey = typeof others === "object" ? schemaFields(others as Schema, schemas, `${at}.*`) : [];
  const named = Object.entries((schema.properties ?? {}) as Schemas).flatMap(([name, property]) => {
    const path = at === "" ? name : `${at}.${name}`;
    const own = resolved(property, schemas);
    const description = [property.description ?? own.description, boundsOf(own)].filter(Boolean).join(" ");
    const field = { path, type: typeOf(property, schemas), isRequired: required.includes(name), description };
    return [field, ...schemaFields(property, schemas, path)];
  });
  return [...named, ...anyKey];
}

/** A parameter of the OpenAPI document. */
export type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema };

/** Returns the parameters of an operation as fields. */
export function parameterFields(parameters: Parameter[]): SchemaField[] {
  const properties = parameters.map(({ name, in: place, description, schema }) => {
    const where = place === "query" ? "" : `In the ${place}.`;
    return [name, { ...schema, description: [where, description].filter(Boolean).join(" ") }] as const;
  });
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return schemaFields({ properties: Object.fromEntries(properties), required }, {});
}
