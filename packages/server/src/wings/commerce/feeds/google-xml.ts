import { SaxesParser } from 'saxes'
import { addField, FeedFault, type Found, maxRowLength, noFields, type Reader, type Row, tooLong } from './row.ts'

const maxDepth = 32
const maxNameLength = 200
/** How many names are remembered. */
const maxNames = 1_000
const maxAttributesPerTag = 64
/** Names for Google's namespace. A file has one. */
const maxPrefixes = 100
/** One text, comment or tag: the parser keeps it until its end. */
const maxTokenLength = maxRowLength

const roots = new Set(['rss', 'feed', 'RDF'])
const rowNames = new Set(['item', 'entry'])
/** What a shop sends whose feed needs a sign-in or has moved. */
const webPage = /^\s*<(?:!doctype\s+)?html\b/i
const googleNamespaces = ['http://base.google.com/ns/1.0', 'http://base.google.com/cns/1.0']

/**
 * Reads RSS 2.0 and Atom. Names lose the prefix of Google's namespace; if a row has a field with it and without, the
 * one with it counts. Fields in fields are joined by a dot: `shipping.price`. Nothing of a DTD is ever read.
 */
export function googleXmlReader(found: Found): Reader {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const rows = rowsOf(found)
  /** How many characters have come since the parser said something. */
  let quiet = 0
  let isBegun = false

  const fail: Fail = (message) => {
    throw new FeedFault(message, parser.line)
  }
  const limits = limitsOf(fail)
  const heard =
    <Value>(act: (value: Value) => void) =>
    (value: Value) => {
      quiet = 0
      act(value)
    }
  const open = ({ name }: { name: string }) => {
    limits.open(name)
    rows.open(name, parser.line)
  }
  const attribute = ({ name, value }: { name: string; value: string }) => {
    limits.attribute(name)
    rows.attribute(name, value)
  }
  const close = () => {
    limits.close()
    rows.close()
  }
  // With more than seven listeners, V8 keeps the parser as a dictionary, and reading takes six times as long.
  parser.on('error', ({ message }) => fail(`The file is not well-formed XML: ${message}`))
  parser.on('doctype', () => fail('The file has a document type (DOCTYPE), which a feed must not have.'))
  parser.on('opentagstart', heard(open))
  parser.on('attribute', heard(attribute))
  parser.on('text', heard(rows.text))
  parser.on('cdata', heard(rows.text))
  parser.on('closetag', heard(close))

  return {
    write(text) {
      if (!isBegun && webPage.test(text)) fail('The file is a web page, not a feed.')
      isBegun ||= text !== ''
      quiet += text.length
      parser.write(text)
      if (quiet > maxTokenLength + text.length) fail('A text, a comment or a tag must have at most 1 MiB.')
    },
    end() {
      try {
        parser.close()
      } catch (error) {
        if (!(error instanceof FeedFault)) throw error
        throw new FeedFault(`The file ends early or has no feed: ${error.message}`, error.line)
      }
    },
  }
}

type Fail = (message: string) => never

/** What no feed needs, and what would take memory before a row is complete. */
function limitsOf(fail: Fail) {
  let depth = 0
  let attributes = 0
  const checkName = (name: string) => {
    if (name.length > maxNameLength) fail(`A name must have at most ${maxNameLength} characters.`)
  }
  return {
    open(name: string) {
      attributes = 0
      depth += 1
      if (depth > maxDepth) fail(`The file is nested more than ${maxDepth} levels deep.`)
      checkName(name)
      if (depth === 1 && !roots.has(localOf(name)))
        fail(`The file is no feed: it begins with <${name}>, not <rss> or <feed>.`)
    },
    attribute(name: string) {
      attributes += 1
      if (attributes > maxAttributesPerTag) fail(`An element must have at most ${maxAttributesPerTag} attributes.`)
      checkName(name)
    },
    close() {
      depth -= 1
    },
  }
}

/** Puts the elements of an item together. */
function rowsOf(found: Found) {
  const prefixes = new Set(['g'])
  const names = new Map<string, Name>()
  let row: Row | undefined
  /** Which fields of the row came with the prefix. */
  let prefixed = new Set<string>()
  let length = 0
  /** The open elements within the row. */
  const path: Element[] = []

  return {
    open(name: string, line: number) {
      if (row) path.push({ name, text: '', href: undefined, rel: 'alternate', hasChildren: false })
      else if (rowNames.has(localOf(name))) {
        row = { line, fields: noFields() }
        prefixed = new Set()
        length = 0
      }
    },

    attribute(name: string, value: string) {
      if (name.startsWith('xmlns:') && googleNamespaces.includes(value) && prefixes.size < maxPrefixes) {
        prefixes.add(name.slice('xmlns:'.length))
        names.clear()
      }
      const element = path.at(-1)
      if (!element) return
      if (name === 'href') element.href = value
      if (name === 'rel') element.rel = value
    },

    text(text: string) {
      const element = path.at(-1)
      if (!element) return
      length += text.length
      // What is over the limit is not kept. The row is reported when it ends.
      if (length <= maxRowLength) element.text += text
    },

    close() {
      if (!row) return
      const element = path.pop()
      if (!element) {
        if (length > maxRowLength) found.broken(row.line, tooLong)
        else found.row(row)
        row = undefined
        return
      }
      const parent = path.at(-1)
      if (parent) parent.hasChildren = true
      keep(row.fields, element, contentOf(element))
    },
  }

  function keep(fields: Record<string, unknown>, element: Element, value: string): void {
    const { isPrefixed, local } = named(path.length === 0 ? element.name : path[0]!.name)
    const name = path.length === 0 ? local : [...path, element].map((each) => named(each.name).local).join('.')
    // A name can be much longer than what is in the file, and an address is in an attribute, which is no text.
    length += name.length + (value === element.href ? value.length : 0)
    if (value === '' || length > maxRowLength) return
    if (isPrefixed && !prefixed.has(name)) {
      prefixed.add(name)
      fields[name] = value
    } else if (isPrefixed || !prefixed.has(name)) addField(fields, name, value)
  }

  /** Each row has the same names. */
  function named(name: string): Name {
    const known = names.get(name)
    if (known) return known
    const isPrefixed = prefixes.has(prefixOf(name))
    const made = { isPrefixed, local: isPrefixed ? localOf(name) : name }
    if (names.size < maxNames) names.set(name, made)
    return made
  }
}

interface Name {
  isPrefixed: boolean
  /** Without the prefix of Google. */
  local: string
}

interface Element {
  name: string
  text: string
  href: string | undefined
  rel: string
  hasChildren: boolean
}

/** The spaces between the fields of a field are no value. A link of Atom is in its attribute. */
function contentOf({ name, text, href, rel, hasChildren }: Element): string {
  const value = text.trim()
  if (hasChildren && value === '') return ''
  return value === '' && name === 'link' && rel === 'alternate' ? (href ?? '') : value
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1)
const prefixOf = (name: string): string => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '')
