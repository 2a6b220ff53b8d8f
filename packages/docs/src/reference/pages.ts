import type { Highlight } from '../highlight.ts'
import { escapeHtml } from '../html.ts'
import { codeBlock, type Heading, type Passage, paragraphs } from '../markdown.ts'
import { slugOf } from '../slug.ts'
import { curl, exampleOf, toJson } from './example.ts'
import { type Field, fieldList, fieldsOf, inside, objectsAddress } from './fields.ts'
import {
  type Answer,
  type Call,
  callsByTag,
  type OpenApi,
  type Parameter,
  type Schema,
  type Schemas,
} from './openapi.ts'

export interface ReferencePage {
  address: string
  title: string
  label: string
  summary: string
  html: string
  headings: Heading[]
  passages: Passage[]
}

/** The languages of code examples. */
export const exampleLanguages = ['sh', 'json']

/** An overview of all calls, a page for each tag, and one for the objects that several calls use. */
export function referencePages(document: OpenApi, highlight: Highlight): ReferencePage[] {
  const schemas = document.components?.schemas ?? {}
  const tags = [...callsByTag(document)].sort(([one], [other]) => (one < other ? -1 : 1))
  return [
    overview(document, tags),
    ...tags.map(([tag, calls]) => tagPage(tag, calls, schemas, highlight)),
    objectsPage(schemas, highlight),
  ]
}

const overviewAddress = '/docs/api-reference'
const addressOf = (tag: string): string => `${overviewAddress}/${slugOf(tag)}`

function overview({ info }: OpenApi, tags: [string, Call[]][]): ReferencePage {
  const lists = tags.map(
    ([tag, calls]) =>
      `${headingHtml({ level: 2, slug: slugOf(tag), text: tag })}<ul class="calls">\n${calls
        .map(
          ({ operationId, summary = operationId, method, path }) =>
            `<li><a href="${addressOf(tag)}#${operationId}">${plainOf(summary)}</a> <span class="endpoint">${methodHtml(method)} ${pathHtml(path)}</span></li>\n`,
        )
        .join('')}</ul>\n`,
  )
  const introduction = `${paragraphs(info.description ?? '')}<p>For code generators and other tools, the same content is in <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). <a href="/docs/api">API conventions</a> describes what all calls share: credentials, errors, pages, ETags and limits.</p>
<p>The examples use the address of the service in <code>$SVC_URL</code> and a token in <code>$SVC_TOKEN</code>.</p>\n`
  return {
    address: overviewAddress,
    title: 'API reference',
    label: 'All calls',
    summary: 'All calls of the API.',
    html: `<h1>API reference</h1>\n${introduction}${lists.join('')}`,
    headings: tags.map(([tag]) => ({ level: 2, slug: slugOf(tag), text: tag })),
    passages: [{ heading: { level: 1, slug: '', text: 'API reference' }, text: info.description ?? '' }],
  }
}

function tagPage(tag: string, calls: Call[], schemas: Schemas, highlight: Highlight): ReferencePage {
  return {
    address: addressOf(tag),
    title: `API: ${tag}`,
    label: tag,
    summary: calls.map(({ summary, operationId }) => summary ?? operationId).join(', '),
    html: `<h1>${escapeHtml(tag)}</h1>\n${calls.map((call) => callHtml(call, schemas, highlight)).join('')}`,
    headings: calls.map(headingOf),
    passages: calls.map((call) => ({ heading: headingOf(call), text: wordsOf(call) })),
  }
}

const headingOf = ({ operationId, summary = operationId }: Call): Heading => ({
  level: 2,
  slug: operationId,
  text: summary.replaceAll('`', ''),
})

function wordsOf({ method, path, operationId, description = '', parameters = [], requestBody }: Call): string {
  const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.keys(schema?.properties ?? {}),
  )
  return [`${method} ${path}`, description, ...parameters.map(({ name }) => name), ...bodies, operationId].join(' ')
}

function callHtml(call: Call, schemas: Schemas, highlight: Highlight): string {
  const { method, path, description = '', parameters = [], requestBody, responses } = call
  const parts = [
    headingHtml(headingOf(call)),
    `<p class="endpoint">${methodHtml(method)} ${pathHtml(path)}</p>\n`,
    paragraphs(description),
    parametersHtml('Path parameters', parameters, 'path'),
    parametersHtml('Query parameters', parameters, 'query'),
    bodyHtml('Body', requestBody?.content),
    parametersHtml('Headers', parameters, 'header'),
    `<h3>Example</h3>\n${codeBlock(curl(call, schemas), 'sh', highlight)}`,
    ...Object.entries(responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, answer]) => answerHtml(status, answer, schemas, highlight)),
    refusalsHtml(responses),
  ]
  return `<section class="call">\n${parts.join('')}</section>\n`
}

function parametersHtml(title: string, parameters: Parameter[], place: Parameter['in']): string {
  const fields = parameters.filter((each) => each.in === place).map(fieldOf)
  return fields.length > 0 ? `<h3>${title}</h3>\n${fieldList(fields)}` : ''
}

const fieldOf = ({ name, schema = {}, required, description }: Parameter): Field => ({
  name,
  schema,
  isRequired: required,
  description: description ?? schema.description,
})

function bodyHtml(title: string, content: Answer['content'] = {}): string {
  const parts = Object.values(content).map(({ schema = {} }) => inside(schema))
  return parts.some(Boolean) ? `<h3>${title}</h3>\n${parts.join('')}` : ''
}

function answerHtml(
  status: string,
  { content = {}, headers = {} }: Answer,
  schemas: Schemas,
  highlight: Highlight,
): string {
  const title = `Response ${status}`
  const headerFields = Object.entries(headers).map(
    ([name, { schema = {}, description, required }]): Field => ({ name, schema, description, isRequired: required }),
  )
  const bodies = Object.entries(content).map(([type, { schema = {}, example }]) => {
    if (!type.startsWith('application/json')) return `<p>The body has the type <code>${escapeHtml(type)}</code>.</p>\n`
    const shown = example ?? exampleOf(schema, schemas)
    return `${fieldList(fieldsOf(schema)) || inside(schema)}${codeBlock(toJson(shown), 'json', highlight)}`
  })
  const shownHeaders = headerFields.length > 0 ? `<p>Response headers:</p>\n${fieldList(headerFields)}` : ''
  return `<h3>${title}</h3>\n${bodies.join('') || '<p>There is no body.</p>\n'}${shownHeaders}`
}

function refusalsHtml(responses: Call['responses']): string {
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  if (refusals.length === 0) return ''
  const items = refusals.map(
    ([status, { description = '' }]) => `<li><code>${status}</code> ${escapeHtml(description)}</li>`,
  )
  return `<h3><a href="/docs/errors">Errors</a></h3>\n<ul class="refusals">${items.join('')}</ul>\n`
}

function objectsPage(schemas: Schemas, highlight: Highlight): ReferencePage {
  const named = Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1))
  const headings = named.map(([name]): Heading => ({ level: 2, slug: name, text: name }))
  return {
    address: objectsAddress,
    title: 'API: Objects',
    label: 'Objects',
    summary: 'The objects in requests and responses.',
    html: `<h1>Objects</h1>\n<p>What several calls take or answer.</p>\n${named
      .map(([name, schema]) => objectHtml(name, schema, schemas, highlight))
      .join('')}`,
    headings,
    passages: named.map(([, schema], index) => ({
      heading: headings[index]!,
      text: [schema.description ?? '', ...Object.keys(schema.properties ?? {})].join(' '),
    })),
  }
}

function objectHtml(name: string, schema: Schema, schemas: Schemas, highlight: Highlight): string {
  return `<section class="call">
${headingHtml({ level: 2, slug: name, text: name })}${paragraphs(schema.description ?? '')}${inside(schema)}${codeBlock(toJson(exampleOf(schema, schemas)), 'json', highlight)}</section>\n`
}

const headingHtml = ({ slug, text }: Heading): string =>
  `<div class="heading"><h2 id="${slug}">${escapeHtml(text)}</h2><a class="anchor" href="#${slug}" aria-label="${escapeHtml(`Link to “${text}”`)}"><span aria-hidden="true">#</span></a></div>\n`

const plainOf = (summary: string): string => escapeHtml(summary.replaceAll('`', ''))
const methodHtml = (method: string): string => `<span class="method ${method.toLowerCase()}">${method}</span>`
/** A path that can break before each slash. */
const pathHtml = (path: string): string => `<code>${escapeHtml(path).replaceAll('/', '<wbr>/')}</code>`
