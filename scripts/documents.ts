// Writes the documents that are generated from tables in the code. With --check, it only lists outdated ones.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { configSchema } from '../packages/cli/src/configuration/schema.ts'
import { projectFileSchema } from '../packages/cli/src/files/project-file.ts'
import { refusals } from '../packages/server/src/catalogue/refusals.ts'
import { settings, telemetrySettings } from '../packages/server/src/config.ts'
import { publicPart } from '../packages/server/src/http/openapi/document.ts'
import { provisioningSchema } from '../packages/server/src/wings/setup/provisioning/index.ts'
import { apiDescription } from './api-description.ts'
import { apiFields } from './api-fields.ts'
import { auditActionsPage } from './audit-actions.ts'
import { clientCatalogue } from './client-catalogue.ts'
import { clientTypes } from './client-types.ts'
import { compactJson } from './compact-json.ts'
import { docsIndexPage } from './docs-index.ts'
import { exampleResults } from './example-results.ts'
import { inFullPage } from './in-full.ts'
import { sdkReferencePage } from './sdk-reference.ts'
import { webChangesSchema } from './web-changes-schema.ts'
import { webhookEventsPage } from './webhook-events.ts'

const root = new URL('..', import.meta.url).pathname
const openapiPath = 'docs/openapi.json'

// The command line reads the printed catalogue when it is loaded, so that one comes first, and a new process reads it.
const catalogue = Object.entries(clientCatalogue()).map(([path, text]) => ({ path, text: formatted(path, text) }))
const outdated = catalogue.filter(({ path, text }) => text !== readText(path))
if (outdated.length > 0) {
  if (process.argv.includes('--check'))
    throw new Error(`Out of date: ${outdated.map(({ path }) => path).join(', ')}. Run npm run documents.`)
  for (const { path, text } of outdated) writeFileSync(join(root, path), text)
  execFileSync(process.execPath, process.argv.slice(1), { stdio: 'inherit' })
  process.exit()
}
const { cliPage } = await import('./cli-page.ts')

const description = await apiDescription()

/** Each operation and each schema has a line of its own. */
const openedInOpenapi = ['paths', 'paths/*', 'webhooks', 'webhooks/*', 'components', 'components/*'].map((path) =>
  path.split('/'),
)

const documents = {
  [openapiPath]: compactJson(publicPart(description), openedInOpenapi),
  'packages/client/src/schema.d.ts': await clientTypes(description),
  'packages/cli/src/configuration/api-fields.ts': apiFields(description),
  'docs/provisioning.schema.json': JSON.stringify({
    title: 'Svc provisioning file',
    ...z.toJSONSchema(provisioningSchema, { io: 'input' }),
  }),
  'docs/svc.schema.json': JSON.stringify(projectFileSchema),
  'docs/config.schema.json': JSON.stringify(configSchema),
  'docs/web-changes.schema.json': webChangesSchema(),
  'docs/README.md': docsIndexPage(),
  'docs/cli.md': cliPage(),
  'docs/sdk-reference.md': await sdkReferencePage(),
  'docs/python-reference.md': printedBy('python3', 'scripts/python-reference.py'),
  'docs/errors.md': errorsPage(),
  'docs/configuration.md': configurationPage(),
  'docs/webhook-events.md': webhookEventsPage(),
  'docs/audit-actions.md': auditActionsPage(),
  'bench/suite/in-full.md': inFullPage(root),
  'packages/dashboard/src/wings/measuring/results/example.json': JSON.stringify(exampleResults()),
}

const generated = new Set(
  [...(readText('.gitattributes') ?? '').matchAll(/^(\S+) .*\blinguist-generated\b/gm)].map(([, path]) => path),
)
const unmarked = [...catalogue.map(({ path }) => path), ...Object.keys(documents)].filter(
  (path) => !generated.has(path),
)
if (unmarked.length > 0) {
  console.error(`Not marked as printed: ${unmarked.join(', ')}. Add linguist-generated to .gitattributes.`)
  process.exitCode = 1
}

const printed = Object.entries(documents).map(([path, text]) => ({ path, text: formatted(path, text) }))
const stale = printed.filter(({ path, text }) => text !== readText(path))
if (!process.argv.includes('--check')) {
  for (const { path, text } of stale) writeFileSync(join(root, path), text)
  // Other documents are printed from code that is printed, such as the JSON Schema of the configuration.
  if (stale.some(({ path }) => path.endsWith('.ts'))) execFileSync(process.execPath, process.argv.slice(1))
} else if (stale.length > 0) {
  console.error(`Out of date: ${stale.map(({ path }) => path).join(', ')}. Run npm run documents.`)
  process.exitCode = 1
}

/** What a program of another language prints. */
function printedBy(...[program, ...args]: [string, ...string[]]): string {
  return execFileSync(program, args, { cwd: root, encoding: 'utf8', env: { ...process.env, PYTHONUTF8: '1' } })
}

/** Formats the text like `npm run format`, so that the two never disagree. Files that biome ignores stay unchanged. */
function formatted(path: string, text: string): string {
  if (path.endsWith('.md') || path === openapiPath) return text
  const biome = join(root, 'node_modules/.bin/biome')
  const args = ['format', `--stdin-file-path=${path}`]
  // The types of the API are larger than the default.
  return execFileSync(biome, args, { cwd: root, input: text, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
}

function errorsPage(): string {
  const rows = Object.entries(refusals).map(
    ([kind, { code, status, title, explanation }]) =>
      `## ${kind}\n\n**${status} \`${code}\`: ${title.replace(/[^?]$/, '$&.')}** ${explanation}\n`,
  )
  return `# Errors

<!-- Printed from packages/server/src/catalogue/refusals.ts by npm run documents. -->

Every failed call answers \`{ "error": { "code", "message", "docUrl", "requestId", "details" } }\`:

| field | meaning |
|---|---|
| \`code\` | stable; match on it in your code |
| \`message\` | a text for people; it can change |
| \`docUrl\` | link to one of the sections below |
| \`requestId\` | id of the request in the log of the service |
| \`details\` | only where a section below mentions it |

The heartbeat is an exception: it answers \`{ "error": "…" }\`.

${rows.join('\n')}`
}

function configurationPage(): string {
  const rowsOf = (table: object) =>
    Object.entries(table).map(([name, setting]) => {
      const { fallback, meaning, secret }: { fallback: string | null; meaning: string; secret?: true } = setting
      const notes = [meaning, secret && '*Secret.*'].filter(Boolean).join(' ')
      return `| \`${name}\` | ${fallback === null ? '' : `\`${fallback}\``} | ${notes} |`
    })
  return `# Configuration

<!-- Printed from packages/server/src/config.ts by npm run documents. -->

Settings are environment variables. The service reads them once, at start. If a value is wrong, or an \`SVC_\` name is not
in the table, the service does not start and prints every problem. It never prints the value of a secret. An empty value
counts as not set.

| name | default | meaning |
|---|---|---|
${rowsOf(settings).join('\n')}

These variables of OpenTelemetry have an effect only with \`SVC_TELEMETRY_OTLP_URL\` ([traces](operating.md#traces)):

| name | default | meaning |
|---|---|---|
${rowsOf(telemetrySettings).join('\n')}

- *Secret*: you can store the value in a file and set \`NAME_FILE\` to its path.
- Durations are written as \`500ms\`, \`10s\`, \`5m\`, \`2h\` or \`30d\`.
- For your own certificate authority, set Node's \`NODE_EXTRA_CA_CERTS\`.
`
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}
