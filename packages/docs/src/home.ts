import { escapeHtml } from './html.ts'

export interface Card {
  address: string
  title: string
  summary: string
}

export interface CardGroup {
  title: string
  cards: Card[]
}

/** The page at /docs: where to start, then all pages. */
export function homeHtml(groups: CardGroup[]): string {
  return `<div class="home">
<h1>Svc documentation</h1>
<p class="lead">Svc is a self-hosted service for feature flags and A/B tests. Change a flag, and your programs and pages follow within seconds. SDKs evaluate flags locally, from one small data file.</p>
<p class="begin"><a class="button" href="/docs/quickstart">Quickstart</a> <a class="button quiet" href="/docs/api-reference">API reference</a></p>
${groups.map(groupHtml).join('')}</div>
`
}

function groupHtml({ title, cards }: CardGroup): string {
  return `<h2>${escapeHtml(title)}</h2>\n<ul class="cards">\n${cards.map(cardHtml).join('')}</ul>\n`
}

const cardHtml = ({ address, title, summary }: Card): string =>
  `<li><a href="${address}">${escapeHtml(title)}</a><p>${escapeHtml(summary)}</p></li>\n`

/** The page for an unknown address. */
export const notFoundHtml = `<h1>There is no such page</h1>
<p>The address may be misspelled, or the page may have moved. Search above, or start here:</p>
<ul>
<li><a href="/docs">All guides</a></li>
<li><a href="/docs/quickstart">Quickstart</a></li>
<li><a href="/docs/api-reference">API reference</a></li>
<li><a href="/docs/errors">Errors</a></li>
</ul>
`
