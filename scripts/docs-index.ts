import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groups, madePages } from '../packages/docs/src/pages.ts'

const root = new URL('..', import.meta.url).pathname

/** The list of all pages, for people who read them in the repository. */
export function docsIndexPage(): string {
  const parts = groups.map(({ title, guides }) => {
    const rows = guides.map(
      ({ name, label, summary }) => `| [${label ?? titleOf(name)}](${fileOf(name)}) | ${summary} |`,
    )
    return `## ${title}\n\n| page | content |\n| --- | --- |\n${rows.join('\n')}\n`
  })
  return `# Svc documentation

<!-- Printed from packages/docs/src/pages.ts by npm run documents. -->

All pages. The running service shows them under \`/docs\`. Begin with the [quickstart](quickstart.md).

${parts.join('\n')}`
}

/** The reference is made from the OpenAPI document, and has no file. */
const fileOf = (name: string): string =>
  name === madePages.reference ? 'openapi.json' : name === madePages.decisions ? 'decisions' : `${name}.md`

function titleOf(name: string): string {
  const path = join(root, `docs/${name}.md`)
  if (!existsSync(path)) return name === madePages.reference ? 'API reference' : 'Decisions'
  return /^# (.*)$/m.exec(readFileSync(path, 'utf8'))![1]!
}
