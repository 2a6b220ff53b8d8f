import type { Highlight } from '../highlight.ts'
import { escapeHtml } from '../html.ts'
import { codeBlock, type Heading, inline, type Passage, paragraphs } from '../markdown.ts'
import { slugOf } from '../slug.ts'
import { curl, toJson } from './example.ts'
import { type Field, fieldList, fieldsOf, inside, objectsAddress } from './fields.ts'
import { inPlace } from './in-place.ts'
import {
  type Answer,
  type Body,
  type Call,
  callsByTag,
  type Header,
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
export const exampleLanguages = ['sh', 'json', 'text']

/** An overview of all calls, a page for each tag, one for objects that several calls use, and one for headers. */
export function referencePages(printed: OpenApi, highlight: Highlight): ReferencePage[] {
  const document = inPlace(printed)
  const { schemas = {}, headers = {} } = document.components ?? {}
  const tags = [...callsByTag(document)].sort(([one], [other]) => one.localeCompare(other, 'en'))
  return [
    overview(document, tags),
    ...tags.map(([tag, calls]) => tagPage(tag, calls, highlight)),
    objectsPage(schemas, highlight),
    headersPage(headers),
  ]
}

const overviewAddress = '/docs/api-reference'
const headersAddress = `${overviewAddress}/headers`
const addressOf = (tag: string): string => `${overviewAddress}/${slugOf(tag)}`

function overview({ info }: OpenApi, tags: [string, Call[]][]): ReferencePage {
  const lists = tags.map(
    ([tag, calls]) =>
      `${headingHtml({ level: 2, slug: slugOf(tag), text: tag })}<ul class="calls">\n${calls
        .map(
          (call) =>
            `<li><a href="${addressOf(tag)}#${call.operationId}">${plainOf(call.summary ?? call.operationId)}</a> <span class="endpoint">${endpointHtml(call)}</span></li>\n`,
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

function tagPage(tag: string, calls: Call[], highlight: Highlight): ReferencePage {
  return {
    address: addressOf(tag),
    title: `API: ${tag}`,
    label: tag,
    summary: calls.map(({ summary, operationId }) => summary ?? operationId).join(', '),
    html: `<h1>${escapeHtml(tag)}</h1>\n${calls.map((call) => callHtml(call, highlight)).join('')}`,
    headings: calls.map(headingOf),
    passages: calls.map((call) => ({ heading: headingOf(call), text: wordsOf(call) })),
  }
}

const headingOf = ({ operationId, summary = operationId }: Call): Heading => ({
  level: 2,
  slug: operationId,
  text: summary.replaceAll('`', ''),
})

function wordsOf({ method, path, event, operationId, description = '', parameters = [], requestBody }: Call): string {
  const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.keys(schema?.properties ?? {}),
  )
  return [
    event ?? `${method} ${path}`,
    description,
    ...parameters.map(({ name }) => name),
    ...bodies,
    operationId,
  ].join(' ')
}

function callHtml(call: Call, highlight: Highlight): string {
  const { description = '', parameters = [], requestBody, responses, event } = call
  const parts = [
    headingHtml(headingOf(call)),
    `<p class="endpoint">${endpointHtml(call)}</p>\n`,
    paragraphs(description),
    parametersHtml('Path parameters', parameters, 'path'),
    parametersHtml('Query parameters', parameters, 'query'),
    bodyHtml(requestBody?.required === false ? 'Optional body' : 'Body', requestBody?.content),
    parametersHtml('Headers', parameters, 'header'),
    `<h3>Example</h3>\n${event === undefined ? codeBlock(curl(call), 'sh', highlight) : bodyExample(requestBody, highlight)}`,
    ...(event === undefined ? answersHtml(responses, highlight) : [verdictsHtml(responses)]),
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

const bodyExample = (body: Body | undefined, highlight: Highlight): string =>
  Object.values(body?.content ?? {})
    .map(({ example }) => codeBlock(toJson(example), 'json', highlight))
    .join('')

function answersHtml(responses: Call['responses'], highlight: Highlight): string[] {
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const usual = answers.flatMap(([, { headers = {} }]) => Object.keys(headers))
  return [...answers.map(([status, answer]) => answerHtml(status, answer, highlight)), refusalsHtml(responses, usual)]
}

function answerHtml(status: string, { content = {}, headers = {} }: Answer, highlight: Highlight): string {
  const bodies = Object.entries(content).map(([type, { schema = {}, example }]) => {
    if (type.startsWith('application/json'))
      return `${fieldList(fieldsOf(schema)) || inside(schema)}${codeBlock(toJson(example), 'json', highlight)}`
    const text = typeof example === 'string' ? codeBlock(example.trimEnd(), 'text', highlight) : ''
    return `<p>The body has the type <code>${escapeHtml(type)}</code>.</p>\n${paragraphs(schema.description ?? '')}${text}`
  })
  const names = Object.keys(headers)
  const headerNames = names.length > 0 ? `<p>Response headers: ${names.map(headerLink).join(', ')}.</p>\n` : ''
  return `<h3>Response ${status}</h3>\n${headerNames}${bodies.join('') || '<p>There is no body.</p>\n'}`
}

const headerLink = (name: string): string =>
  `<a href="${headersAddress}#${slugOf(name)}"><code>${escapeHtml(name)}</code></a>`

/** @param usual headers that successful responses have too, so only the others are named */
function refusalsHtml(responses: Call['responses'], usual: string[]): string {
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  if (refusals.length === 0) return ''
  const items = refusals.map(([status, { description = '', headers = {} }]) => {
    const added = Object.keys(headers).filter((name) => !usual.includes(name))
    const withHeaders = added.length > 0 ? `, with ${added.map(headerLink).join(', ')}` : ''
    return `<li><code>${status}</code> ${escapeHtml(description)}${withHeaders}</li>`
  })
  return `<h3><a href="/docs/errors">Errors</a></h3>\n<ul class="refusals">${items.join('')}</ul>\n`
}

/** The meaning of each response of a receiver. */
function verdictsHtml(responses: Call['responses']): string {
  const items = Object.entries(responses).map(([status, { description = '' }]) => {
    const name = status === 'default' ? 'Any other response' : `<code>${escapeHtml(status)}</code>`
    return `<li>${name}: ${inline(description)}</li>`
  })
  return `<h3>Your response</h3>\n<ul class="refusals">${items.join('')}</ul>\n`
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
      .map(([name, schema]) => objectHtml(name, schema, highlight))
      .join('')}`,
    headings,
    passages: named.map(([, schema], index) => ({
      heading: headings[index]!,
      text: [schema.description ?? '', ...Object.keys(schema.properties ?? {})].join(' '),
    })),
  }
}

function headersPage(headers: Record<string, Header>): ReferencePage {
  const named = Object.entries(headers)
  const headings = named.map(([name]): Heading => ({ level: 2, slug: slugOf(name), text: name }))
  const sections = named.map(([, { description = '', schema = {}, example }], index) => {
    const field = `<p>${escapeHtml(String(schema.type ?? 'string'))}, for example <code>${escapeHtml(String(example))}</code></p>\n`
    return `<section class="call">\n${headingHtml(headings[index]!)}${paragraphs(description)}${field}</section>\n`
  })
  return {
    address: headersAddress,
    title: 'API: Headers',
    label: 'Headers',
    summary: 'The headers of responses.',
    html: `<h1>Headers</h1>\n<p>The headers of responses. Each call names the headers of its own responses.</p>\n${sections.join('')}`,
    headings,
    passages: named.map(([, { description = '' }], index) => ({ heading: headings[index]!, text: description })),
  }
}

function objectHtml(name: string, schema: Schema, highlight: Highlight): string {
  return `<section class="call">
${headingHtml({ level: 2, slug: name, text: name })}${paragraphs(schema.description ?? '')}${inside(schema)}${codeBlock(toJson(schema.examples?.[0]), 'json', highlight)}</section>\n`
}

const headingHtml = ({ slug, text }: Heading): string =>
  `<div class="heading"><h2 id="${slug}">${escapeHtml(text)}</h2><a class="anchor" href="#${slug}" aria-label="${escapeHtml(`Link to “${text}”`)}"><span aria-hidden="true">#</span></a></div>\n`

const plainOf = (summary: string): string => escapeHtml(summary.replaceAll('`', ''))
/** A delivery goes to the address of a webhook. */
const endpointHtml = ({ method, path, event }: Call): string =>
  event === undefined
    ? `${methodHtml(method)} ${pathHtml(path)}`
    : `${methodHtml(method)} to your endpoint: <code>${escapeHtml(event)}</code>`
const methodHtml = (method: string): string => `<span class="method ${method.toLowerCase()}">${method}</span>`
/** A path that can break before each slash. */
const pathHtml = (path: string): string => `<code>${escapeHtml(path).replaceAll('/', '<wbr>/')}</code>`
