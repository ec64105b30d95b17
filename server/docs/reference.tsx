import { codeSamples } from "./code-samples";
import { CodeBlocks, chapterLinks, DocsDocument, Markdown, MarkdownLine } from "./document";
import {
  type Parameter,
  parameterFields,
  type Schema,
  type SchemaField,
  schemaFields,
} from "./schema-fields";

type Example = { value: unknown };
type Content = { "application/json": { schema: Schema; examples?: Record<string, Example> } };
export type DocumentedAnswer = { description: string; content: Content };
export type ReferenceOperation = {
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  /** Errors that any path may answer are references. The manual's table of errors describes them. */
  responses: Record<string, DocumentedAnswer | { $ref: string }>;
};
/** The parts of our OpenAPI document that the page shows. */
export type ReferenceDocument = {
  info: { description: string };
  paths: Record<string, Record<string, ReferenceOperation>>;
  components: { schemas: Record<string, Schema> };
};
type Shown = { method: string; path: string; id: string; operation: ReferenceOperation };

const json = (value: unknown) => JSON.stringify(value, null, 2);

function Fields({ fields }: { fields: SchemaField[] }) {
  if (fields.length === 0) return null;
  return (
    <table>
      <tbody>
        {fields.map(({ path, type, isRequired, description }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
              {isRequired ? "" : " optional"}
            </th>
            <td>
              <code>{type}</code> {description && <MarkdownLine text={description} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Examples({ examples = {} }: { examples?: Record<string, Example> }) {
  return Object.entries(examples).map(([name, { value }]) => (
    <figure key={name} aria-label={`Example: ${name}`}>
      <figcaption className="quiet">{name}</figcaption>
      <pre>{json(value)}</pre>
    </figure>
  ));
}

function TryIt({ method, path, operation }: Shown) {
  const body = operation.requestBody?.content["application/json"];
  const [example] = Object.values(body?.examples ?? {});
  return (
    <details className="try">
      <summary>Try it</summary>
      <form data-method={method} data-path={path}>
        {operation.parameters.map((parameter) => (
          <label key={parameter.name}>
            {parameter.name}
            <input
              name={parameter.name}
              data-in={parameter.in}
              autoComplete="off"
              required={parameter.required}
            />
          </label>
        ))}
        {body && (
          <label>
            Body
            <textarea
              name="body"
              data-in="body"
              rows={8}
              spellCheck={false}
              defaultValue={json(example?.value)}
            />
          </label>
        )}
        <button type="submit">
          Send {method} {path}
        </button>
        <p>
          <output aria-live="polite" />
        </p>
        <pre hidden aria-live="polite" />
      </form>
    </details>
  );
}

/** Returns an operation's own answers, without the shared errors. */
const answersOf = ({ responses }: ReferenceOperation): (DocumentedAnswer & { status: string })[] =>
  Object.entries(responses).flatMap(([status, answer]) => ("$ref" in answer ? [] : [{ status, ...answer }]));

const samplePath = (path: string) =>
  path
    .replace("{id}", "01a1fab8-221d-73cc-bf6f-88bbf811ce3c")
    .replace("{key}", "edition")
    .replace("{name}", "vip")
    .replace("{number}", "17");

/** Shows a request in each language, and its success answer. */
function Samples({ shown: { method, path, operation }, url }: { shown: Shown; url: string }) {
  const [body] = Object.values(operation.requestBody?.content["application/json"].examples ?? {});
  const request = { method, url: url + samplePath(path), ...(body && { body: body.value }) };
  const answer = answersOf(operation).findLast(({ status }) => Number(status) < 300);
  const [example] = Object.values(answer?.content["application/json"].examples ?? {});
  return (
    <div className="beside">
      <CodeBlocks blocks={codeSamples(request)} />
      {answer && example && <CodeBlocks blocks={[[`Answer ${answer.status}`, json(example.value)]]} />}
    </div>
  );
}

function OperationSection({
  shown,
  schemas,
  url,
}: {
  shown: Shown;
  schemas: Record<string, Schema>;
  url: string;
}) {
  const { method, path, id, operation } = shown;
  return (
    <section aria-labelledby={id} className="row">
      <div>
        <h2 id={id}>{operation.summary}</h2>
        <p>
          <code>
            <b>{method}</b> {path}
          </code>
        </p>
        <Markdown text={operation.description} />
        <TryIt {...shown} />
        <Inputs operation={operation} schemas={schemas} />
        <h3>Answers</h3>
        {answersOf(operation).map(({ status, description, content }) => (
          <details key={`${status} ${description}`}>
            <summary>
              {status} <span className="quiet">{description}</span>
            </summary>
            {Number(status) < 400 && (
              <Fields fields={schemaFields(content["application/json"].schema, schemas)} />
            )}
            <Examples examples={content["application/json"].examples} />
          </details>
        ))}
      </div>
      <Samples shown={shown} url={url} />
    </section>
  );
}

/** The parameters and body of an operation. */
function Inputs({ operation, schemas }: { operation: ReferenceOperation; schemas: Record<string, Schema> }) {
  const body = operation.requestBody?.content["application/json"];
  return (
    <>
      {operation.parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <Fields fields={parameterFields(operation.parameters)} />
        </>
      )}
      {body && (
        <>
          <h3>Body</h3>
          <Fields fields={schemaFields(body.schema, schemas)} />
          <Examples examples={body.examples} />
        </>
      )}
    </>
  );
}

/** Shows the manual's chapters, then every operation with a form that sends it. */
export function ReferencePage({
  document,
  style,
  url,
}: {
  document: ReferenceDocument;
  style: string;
  url: string;
}) {
  const { info, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): Shown => {
      const method = verb.toUpperCase();
      return { method, path, id: `${method}${path}`, operation };
    }),
  );
  return (
    <DocsDocument
      title="Rollcall API"
      style={style}
      scripts={["/docs/try-it.js"]}
      contents={
        <>
          <strong>Manual</strong>
          {chapterLinks(info.description)}
          <strong>Operations</strong>
          {operations.map(({ id, operation }) => (
            <a key={id} href={`#${id}`}>
              {operation.summary}
            </a>
          ))}
        </>
      }
    >
      <p className="quiet">
        For programs: <a href="/api/v1/openapi.json">OpenAPI 3.1</a>,{" "}
        <a href="/llms.txt">this documentation as Markdown</a>. For editors and integrators:{" "}
        <a href="/docs/guides">guides</a>. For operators: <a href="/docs/operators">the operators’ guide</a>
      </p>
      <label>
        API key, for “Try it”
        <input id="key" type="password" autoComplete="off" placeholder="sk_…" aria-describedby="key-note" />
      </label>
      <p id="key-note" className="quiet">
        The key stays in this page’s memory and is sent to this server only. Requests are real: they change
        your list.
      </p>
      <Markdown text={info.description} />
      {operations.map((shown) => (
        <OperationSection key={shown.id} shown={shown} schemas={components.schemas} url={url} />
      ))}
    </DocsDocument>
  );
}
