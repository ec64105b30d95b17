/** An API request as a reader would send it. `body`: JSON; absent for none. */
type SampleRequest = { method: string; url: string; body?: unknown };

const indent = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);
const inSingleQuotes = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const jsonOf = (value: unknown) => JSON.stringify(value, null, 2);

/** Converts JSON to a Python literal. */
const pythonOf = (value: unknown) =>
  jsonOf(value).replace(/^(\s*(?:"[^"]*": )?)(true|false|null)(?=,?$)/gm, (_, before, word) =>
    word === "null" ? `${before}None` : `${before}${word.charAt(0).toUpperCase()}${word.slice(1)}`,
  );

function curl({ method, url, body }: SampleRequest): string {
  const verb = method === (body === undefined ? "GET" : "POST") ? "" : `-X ${method} `;
  const json =
    body === undefined
      ? ""
      : ` \\\n  -H "Content-Type: application/json" \\\n  -d ${inSingleQuotes(JSON.stringify(body))}`;
  return `curl ${verb}"${url}" \\\n  -H "Authorization: Bearer $ROLLCALL_KEY"${json}`;
}

function javaScript({ method, url, body }: SampleRequest): string {
  const key = `Authorization: \`Bearer \${process.env.ROLLCALL_KEY}\``;
  const headers = body === undefined ? `{ ${key} }` : `{ ${key}, "Content-Type": "application/json" }`;
  const json = body === undefined ? "" : `\n  body: JSON.stringify(${indent(jsonOf(body), "  ")}),`;
  return `const response = await fetch("${url}", {
  method: "${method}",
  headers: ${headers},${json}
});
console.log(response.status, await response.json());`;
}

function python({ method, url, body }: SampleRequest): string {
  const json = body === undefined ? "" : `\n    json=${indent(pythonOf(body), "    ")},`;
  return `import os, requests

response = requests.${method.toLowerCase()}(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['ROLLCALL_KEY']}"},${json}
    timeout=10,
)
print(response.status_code, response.json())`;
}

function php({ method, url, body }: SampleRequest): string {
  const type = body === undefined ? "" : `, "Content-Type: application/json"`;
  const json = body === undefined ? "" : `\n    CURLOPT_POSTFIELDS => <<<'JSON'\n${jsonOf(body)}\nJSON,`;
  return `<?php
$request = curl_init("${url}");
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => "${method}",
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ["Authorization: Bearer " . getenv("ROLLCALL_KEY")${type}],${json}
]);
$body = curl_exec($request);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), " ", $body;`;
}

function ruby({ method, url, body }: SampleRequest): string {
  const verb = method.charAt(0) + method.slice(1).toLowerCase();
  const json =
    body === undefined
      ? ""
      : `\nrequest["Content-Type"] = "application/json"\nrequest.body = <<~'JSON'\n  ${indent(jsonOf(body), "  ")}\nJSON`;
  return `require "net/http"

uri = URI("${url}")
request = Net::HTTP::${verb}.new(uri)
request["Authorization"] = "Bearer #{ENV.fetch("ROLLCALL_KEY")}"${json}
response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
puts response.code, response.body`;
}

function go({ method, url, body }: SampleRequest): string {
  const isEmpty = body === undefined;
  const content = isEmpty ? "nil" : `strings.NewReader(\`${jsonOf(body)}\`)`;
  return `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"${isEmpty ? "" : '\n	"strings"'}
)

func main() {
	request, err := http.NewRequest("${method}", "${url}", ${content})
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ROLLCALL_KEY"))${
    isEmpty ? "" : '\n	request.Header.Set("Content-Type", "application/json")'
  }
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.StatusCode, string(answer))
}`;
}

const languages = { sh: curl, js: javaScript, python, php, ruby, go };
export type SampleLanguage = keyof typeof languages;

/** Returns the request as a program in each language, with the language's name in Markdown. */
export const codeSamples = (request: SampleRequest): [SampleLanguage, string][] =>
  Object.entries(languages).map(([name, write]) => [name as SampleLanguage, write(request)]);

/** Returns the same programs as Markdown code blocks. */
export const sampleBlocks = (request: SampleRequest): string =>
  codeSamples(request)
    .map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``)
    .join("\n\n");
