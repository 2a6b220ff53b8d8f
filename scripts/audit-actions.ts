import { actions } from '../packages/server/src/catalogue/actions.ts'
import { auditedNouns, nouns } from '../packages/server/src/catalogue/nouns.ts'

interface Row {
  phrase: string
  events: readonly string[]
  inEachProject?: string
}

/** The page of all audit log actions with the events that each can cause. */
export function auditActionsPage(): string {
  return `# Audit actions

<!-- Printed from packages/server/src/catalogue/actions.ts by npm run documents. -->

This page lists every action of the [audit log](audit.md) and the [events](webhook-events.md) that it can cause. An action without events concerns the organization or a person, or opens something for one person alone. The log shows the text between the actor and the object: “Ada *created the flag* one-page-checkout”.

${auditedNouns.map(section).join('\n\n')}
`
}

function section(noun: (typeof auditedNouns)[number]): string {
  const rows = Object.entries<Row>(actions).filter(([name]) => name.startsWith(`${noun}.`))
  return `## ${nouns[noun].plural}

| action | text in the log | events |
|---|---|---|
${rows.map(actionRow).join('\n')}`
}

function actionRow([name, { phrase, events, inEachProject }]: [string, Row]): string {
  const links = events.map(eventLink)
  const everywhere = inEachProject ? [`${eventLink(inEachProject)} in every project`] : []
  return `| \`${name}\` | ${phrase} | ${[...links, ...everywhere].join(', ')} |`
}

const eventLink = (name: string): string => `[\`${name}\`](webhook-events.md#${name.replaceAll('.', '')})`
