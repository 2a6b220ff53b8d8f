import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  Application,
  type Comment,
  type CommentDisplayPart,
  type DeclarationReflection,
  type ParameterReflection,
  ReflectionKind,
  type SignatureReflection,
  type SomeType,
} from 'typedoc'

const root = new URL('..', import.meta.url).pathname
/** Entries that few programs need are last. */
const order = [
  ...['.', './stream', './storage', './file-store', './typed', './react', './openfeature', './webhooks'],
  ...['./web-server', './commerce'],
]

/** The page about everything that `@svc/sdk` exports, from its docstrings. */
export async function sdkReferencePage(): Promise<string> {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages/sdk/package.json'), 'utf8')) as {
    exports: Record<string, { types?: string } | string>
  }
  const entries = Object.entries(exports).flatMap(([name, target]) =>
    typeof target === 'object' && target.types
      ? [{ name, source: target.types.replace('./dist/', 'packages/sdk/src/').replace('.d.ts', '.ts') }]
      : [],
  )
  const missing = entries.filter(({ name }) => !order.includes(name))
  if (missing.length > 0) throw new Error(`Not in the order of the SDK reference: ${missing.map(({ name }) => name)}`)
  const sorted = entries.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
  const found = await exportsOf(sorted.map(({ source }) => source))
  const undocumented = [...found.values()].flat().flatMap(withoutText)
  if (undocumented.length > 0) throw new Error(`Without a docstring: ${undocumented.join(', ')}`)
  const parts = sorted.map(({ name, source }) => entryText(name, found.get(basename(source, '.ts'))!))
  return `# SDK reference

<!-- Printed from the docstrings of packages/sdk by npm run documents. -->

Everything that \`@svc/sdk\` exports. The [guide](sdk.md) shows how to use it.

${parts.join('\n')}`
}

/** What each file exports, by its name. A re-export is listed only at its source. */
async function exportsOf(sources: readonly string[]): Promise<Map<string, DeclarationReflection[]>> {
  const app = await Application.bootstrap({
    entryPoints: sources.map((source) => join(root, source)),
    // Only what the SDK imports. The whole repository takes five times as long.
    tsconfig: join(root, 'scripts/sdk-reference.tsconfig.json'),
    // `npm run check` compiles everything by itself.
    skipErrorChecking: true,
    excludePrivate: true,
    excludeProtected: true,
    excludeExternals: true,
    logLevel: 'Error',
    plugin: [],
  })
  const project = await app.convert()
  if (!project) throw new Error('TypeDoc cannot read the SDK')
  return new Map(
    (project.children ?? []).map(({ name, children = [] }) => [
      name,
      children.filter(({ kind }) => kind !== ReflectionKind.Reference),
    ]),
  )
}

const kinds = [ReflectionKind.Function, ReflectionKind.Class, ReflectionKind.Variable, ReflectionKind.Interface]
const rank = ({ kind }: DeclarationReflection) => (kinds.indexOf(kind) + kinds.length + 1) % (kinds.length + 1)

function entryText(name: string, found: readonly DeclarationReflection[]): string {
  const path = name === '.' ? '@svc/sdk' : `@svc/sdk/${name.slice(2)}`
  const sorted = found.toSorted((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1))
  return `## ${path}\n\n${sorted.map(declarationText).join('\n')}`
}

function declarationText(declaration: DeclarationReflection): string {
  const { name, kind, comment, signatures = [], children = [] } = declaration
  const heading = `### ${name}\n\n`
  if (signatures.length > 0) return heading + signaturesText(signatures)
  if (kind === ReflectionKind.TypeAlias) {
    const members = membersOf(declaration)
    const definition =
      members.length > 0 || !declaration.type
        ? ''
        : code(`type ${name}${parametersOf(declaration)} = ${typeText(declaration.type)}`)
    return `${heading}${commentText(comment)}${definition}${membersText(members)}`
  }
  if (kind === ReflectionKind.Variable)
    return `${heading}${commentText(comment)}${code(`${name}: ${typeText(declaration.type)}`)}`
  return `${heading}${commentText(comment)}${membersText(children)}`
}

const membersOf = ({ children, type }: DeclarationReflection): DeclarationReflection[] =>
  children ?? (type?.type === 'reflection' ? (type.declaration.children ?? []) : [])

/** The names of an export and its members that have no docstring. A constructor has the one of its class. */
function withoutText(declaration: DeclarationReflection): string[] {
  const textOf = ({ comment, signatures, getSignature }: DeclarationReflection) =>
    comment ?? getSignature?.comment ?? signatures?.find((each) => each.comment)?.comment
  const members = membersOf(declaration).filter(
    ({ kind, flags, inheritedFrom }) => kind !== ReflectionKind.Constructor && !(flags.isExternal && inheritedFrom),
  )
  return [
    ...(textOf(declaration) ? [] : [declaration.name]),
    ...members.filter((member) => !textOf(member)).map(({ name }) => `${declaration.name}.${name}`),
  ]
}

/** As in TypeScript. TypeDoc's own text leaves out the methods of an object. */
function typeText(type: SomeType | undefined): string {
  if (type?.type !== 'reflection') return String(type ?? 'unknown')
  const { signatures = [], children = [] } = type.declaration
  const calls = signatures.map(({ parameters = [], type }) => `${parametersText(parameters)} => ${typeText(type)}`)
  if (children.length === 0 && calls.length === 1) return calls[0]!
  const members = children.flatMap(({ name, flags, type, signatures }) => {
    const mark = flags.isOptional ? '?' : ''
    if (!signatures) return [`${name}${mark}: ${typeText(type)}`]
    return signatures.map(
      ({ parameters = [], type }) => `${name}${mark}${parametersText(parameters)}: ${typeText(type)}`,
    )
  })
  return `{ ${[...signatures.map(({ parameters = [], type }) => `${parametersText(parameters)}: ${typeText(type)}`), ...members].join('; ')} }`
}

const parametersText = (parameters: readonly ParameterReflection[]): string =>
  `(${parameters
    .map(({ name, type, flags, defaultValue }) => {
      const mark = flags.isOptional || defaultValue ? '?' : ''
      return `${flags.isRest ? '...' : ''}${name === '__namedParameters' ? 'options' : name}${mark}: ${typeText(type)}`
    })
    .join(', ')})`

const parametersOf = ({ typeParameters = [] }: DeclarationReflection): string =>
  typeParameters.length > 0 ? `<${typeParameters.map(({ name }) => name).join(', ')}>` : ''

/** TypeDoc gives every overload the comment of the first one. It is printed once, below all of them. */
function signaturesText(signatures: readonly SignatureReflection[]): string {
  const [first] = signatures
  if (!first) return ''
  const rows = (first.parameters ?? [])
    .filter(({ comment }) => comment)
    .map(({ name, comment }) => `| \`${name}\` | ${inCell(partsText(comment!.summary))} |`)
  const table = rows.length > 0 ? `| parameter | meaning |\n| --- | --- |\n${rows.join('\n')}\n\n` : ''
  return `${code(signatures.map(callOf).join('\n'))}${commentText(first.comment)}${table}`
}

function callOf({ name, parameters = [], type, typeParameters = [] }: SignatureReflection): string {
  const generics =
    typeParameters.length > 0
      ? `<${typeParameters.map(({ name, type }) => (type ? `${name} extends ${type}` : name)).join(', ')}>`
      : ''
  return `${name}${generics}${parametersText(parameters)}: ${typeText(type)}`
}

function membersText(members: readonly DeclarationReflection[]): string {
  const seen = members.filter(({ flags, inheritedFrom }) => !flags.isExternal || !inheritedFrom)
  const calls = seen.filter(({ signatures, kind }) => signatures && kind !== ReflectionKind.Constructor)
  const fields = seen.filter(({ signatures }) => !signatures)
  const constructors = seen.filter(({ kind }) => kind === ReflectionKind.Constructor)
  const rows = fields.map(
    ({ name, flags, type, comment, getSignature }) =>
      `| \`${name}${flags.isOptional ? '?' : ''}\` | ${cellCode(typeText(type ?? getSignature?.type))} | ${inCell(partsText((comment ?? getSignature?.comment)?.summary ?? []))} |`,
  )
  const table = rows.length > 0 ? `| field | type | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n\n` : ''
  return [
    ...constructors.map(({ signatures = [] }) => signaturesText(signatures)),
    table,
    ...calls.map(({ signatures = [] }) => signaturesText(signatures)),
  ].join('')
}

/** The summary, and what is thrown, returned and shown as an example. */
function commentText(comment: Comment | undefined): string {
  if (!comment) return ''
  const summary = partsText(comment.summary)
  const tags = comment.blockTags.flatMap(({ tag, content }) => {
    const text = partsText(content)
    if (tag === '@returns') return [`Returns ${lowered(text)}`]
    if (tag === '@throws') return [`Throws ${text}`]
    if (tag === '@example') return [text.includes('```') ? text : code(text).trimEnd()]
    return []
  })
  return [summary, ...tags]
    .filter((text) => text.length > 0)
    .map((text) => `${text}\n\n`)
    .join('')
}

const lowered = (text: string): string =>
  /^(A|An|The|Whether|What) /.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text

/** Links of docstrings name other exports of this page. */
const partsText = (parts: readonly CommentDisplayPart[]): string =>
  parts
    .map((part) => (part.kind === 'inline-tag' ? `\`${part.text}\`` : part.text))
    .join('')
    .trim()

const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\`\n\n`
const inCell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
const cellCode = (text: string): string => `\`${inCell(text).replaceAll('`', "'")}\``
