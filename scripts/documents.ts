// Writes the documents that are printed from tables in the code; with --check it only says which are out of date.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { refusals } from '../packages/server/src/catalogue/refusals.ts'
import { settings } from '../packages/server/src/config.ts'
import { publicPart } from '../packages/server/src/http/openapi.ts'
import { provisioningSchema } from '../packages/server/src/wings/setup/provisioning/index.ts'
import { apiDescription } from './api-description.ts'
import { clientTypes } from './client-types.ts'
import { webhookEventsPage } from './webhook-events.ts'

const root = new URL('..', import.meta.url).pathname

const description = await apiDescription()

const documents = {
  'docs/openapi.json': JSON.stringify(publicPart(description)),
  'packages/client/src/schema.d.ts': await clientTypes(description),
  'docs/provisioning.schema.json': JSON.stringify({
    title: 'Svc provisioning file',
    ...z.toJSONSchema(provisioningSchema, { io: 'input' }),
  }),
  'docs/errors.md': errorsPage(),
  'docs/configuration.md': configurationPage(),
  'docs/webhook-events.md': webhookEventsPage(),
}

const printed = Object.entries(documents).map(([path, text]) => ({ path, text: formatted(path, text) }))
const stale = printed.filter(({ path, text }) => text !== readText(path))
if (!process.argv.includes('--check')) for (const { path, text } of stale) writeFileSync(join(root, path), text)
else if (stale.length > 0) {
  console.error(`Out of date: ${stale.map(({ path }) => path).join(', ')}. Run npm run documents.`)
  process.exitCode = 1
}

/** As `npm run format` would leave it, so that the two never disagree; it leaves Markdown alone. */
function formatted(path: string, text: string): string {
  if (path.endsWith('.md')) return text
  const biome = join(root, 'node_modules/.bin/biome')
  return execFileSync(biome, ['format', `--stdin-file-path=${path}`], { cwd: root, input: text, encoding: 'utf8' })
}

function errorsPage(): string {
  const rows = Object.entries(refusals).map(
    ([kind, { code, status, title, explanation }]) =>
      `## ${kind}\n\n**${status} \`${code}\`: ${title.replace(/[^?]$/, '$&.')}** ${explanation}\n`,
  )
  return `# Errors

Printed from \`packages/server/src/catalogue/refusals.ts\` by \`npm run documents\`; the service shows the same under \`/docs/errors\`.

Every failed call answers \`{ "error": { "code", "message", "docUrl", "requestId", "details" } }\`. Match on \`code\`: it is
stable. \`message\` is for people and may change, \`docUrl\` leads to one of the sections below, \`requestId\` is in the
service's log, \`details\` is there only where a section says so. The heartbeat alone answers \`{ "error": "…" }\`.

${rows.join('\n')}`
}

function configurationPage(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const {
      fallback,
      meaning,
      secret,
      reserved,
    }: { fallback: string | null; meaning: string; secret?: true; reserved?: true } = setting
    const notes = [meaning, secret && '*Secret.*', reserved && '*No effect yet.*'].filter(Boolean).join(' ')
    return `| \`${name}\` | ${fallback === null ? '' : `\`${fallback}\``} | ${notes} |`
  })
  return `# Configuration

Printed from \`packages/server/src/config.ts\` by \`npm run documents\`.

Settings are environment variables, read once at start. A wrong value, or an \`SVC_\` name that is not in the table,
stops the start; every problem is told at once, and no value of a secret is. An empty value counts as none.

| name | default | meaning |
|---|---|---|
${rows.join('\n')}

*Secret*: may also be given as \`NAME_FILE\`, the path of a file that holds it. *No effect yet*: checked, accepted, and
warned about at start. Durations are written \`500ms\`, \`10s\`, \`5m\`, \`2h\`, \`30d\`. Certificate authorities of your own: Node's
\`NODE_EXTRA_CA_CERTS\`.
`
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}
