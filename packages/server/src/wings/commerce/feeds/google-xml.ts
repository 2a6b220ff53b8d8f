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

/** HTML within a text that a shop has not escaped. The first are within a line. */
const inline = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'big', 'del', 'em', 'font', 'i', 'ins', 'mark', 'small', 'span', 'strike'],
  ...['strong', 'sub', 'sup', 'u', 'wbr'],
])
const blocks = new Set([
  ...['blockquote', 'br', 'center', 'dd', 'div', 'dl', 'dt', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p'],
  ...['pre', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'ul'],
])

/**
 * Reads RSS 2.0 and Atom. Names lose the prefix of Google's namespace; if a row has a field with it and without, the
 * one with it counts. Fields in fields are joined by a dot: `shipping.price`. A field with a text, or with HTML, has all
 * of the text in it: `Big <b>red</b> shoe` is `Big red shoe`. Nothing of a DTD is ever read.
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
  const names = knownNames()
  const elements = openElements(names.of)
  let row: Row | undefined
  /** Which fields of the row came with the prefix. */
  let prefixed = new Set<string>()

  function keep(fields: Record<string, unknown>, { name, value, isPrefixed }: Field): void {
    if (value === '') return
    if (isPrefixed && !prefixed.has(name)) {
      prefixed.add(name)
      fields[name] = value
    } else if (isPrefixed || !prefixed.has(name)) addField(fields, name, value)
  }

  return {
    open(name: string, line: number) {
      if (row) elements.open(name)
      else if (rowNames.has(localOf(name))) {
        row = { line, fields: noFields() }
        prefixed = new Set()
        elements.begin()
      }
    },

    attribute(name: string, value: string) {
      if (name.startsWith('xmlns:') && googleNamespaces.includes(value)) names.addPrefix(name.slice('xmlns:'.length))
      const element = elements.last()
      if (!element) return
      if (name === 'href') element.href = value
      if (name === 'rel') element.rel = value
    },

    text: elements.text,

    close() {
      if (!row) return
      if (elements.last()) for (const field of elements.close()) keep(row.fields, field)
      else {
        if (elements.areTooLong()) found.broken(row.line, tooLong)
        else found.row(row)
        row = undefined
      }
    },
  }
}

/** The elements within a row that are open, from the outermost on, and their texts. */
function openElements(named: (name: string) => Name) {
  const path: Element[] = []
  let isInWord = false
  /** The fields in the outermost that have ended, unless a field around them is a text. */
  let inner: Field[] = []
  let length = 0

  /** What is in another line or cell is another word. */
  function divide(): void {
    if (isInWord) path.at(-1)!.text += ' '
    isInWord = false
  }

  function fieldOf(element: Element): Field {
    const { isPrefixed, local } = named(path.length === 0 ? element.name : path[0]!.name)
    const name = path.length === 0 ? local : [...path, element].map((each) => named(each.name).local).join('.')
    const value = valueIn(element)
    // A name can be much longer than what is in the file, and an address is in an attribute, which is no text.
    length += name.length + (value === element.href ? value.length : 0)
    return { name, value: length > maxRowLength ? '' : value, isPrefixed }
  }

  return {
    begin(): void {
      length = 0
    },
    areTooLong: () => length > maxRowLength,
    last: () => path.at(-1),

    open(name: string): void {
      const around = path.at(-1)
      if (around) {
        around.hasChildren = true
        around.isText ||= isMarkup(name)
        if (isBlock(name)) divide()
      } else {
        isInWord = false
        inner = []
      }
      path.push({
        name,
        text: '',
        innerFrom: inner.length,
        href: undefined,
        rel: 'alternate',
        hasChildren: false,
        isText: false,
      })
    },

    text(text: string): void {
      const element = path.at(-1)
      if (!element) return
      length += text.length
      // What is over the limit is not kept. The row is reported when it ends.
      if (length > maxRowLength) return
      element.text += text
      isInWord = !/\s$/.test(text)
      element.isText ||= text.trim() !== ''
    },

    /** Ends the innermost, and returns the fields of the outermost when that has ended. */
    close(): Field[] {
      const element = path.pop()!
      const field = fieldOf(element)
      const around = path.at(-1)
      // Texts are put together and looked at once: to look at a text that still grows would copy all of it each time.
      if (around) around.text += element.text
      if (around && isBlock(element.name)) divide()
      // The fields of a text are words of it.
      if (element.isText) inner.length = element.innerFrom
      inner.push(field)
      return path.length === 0 ? inner : []
    },
  }
}

/** What the names of a file mean. Each row has the same ones. */
function knownNames() {
  const prefixes = new Set(['g'])
  const names = new Map<string, Name>()
  return {
    addPrefix(prefix: string): void {
      if (prefixes.size >= maxPrefixes) return
      prefixes.add(prefix)
      names.clear()
    },
    of(name: string): Name {
      const known = names.get(name)
      if (known) return known
      const isPrefixed = prefixes.has(prefixOf(name))
      const made = { isPrefixed, local: isPrefixed ? localOf(name) : name }
      if (names.size < maxNames) names.set(name, made)
      return made
    },
  }
}

interface Name {
  isPrefixed: boolean
  /** Without the prefix of Google. */
  local: string
}

interface Field {
  name: string
  value: string
  isPrefixed: boolean
}

interface Element {
  name: string
  /** With that of the elements in it that have ended. */
  text: string
  /** Where its fields begin. */
  innerFrom: number
  href: string | undefined
  rel: string
  hasChildren: boolean
  /** It has a text of its own, or HTML. */
  isText: boolean
}

/** The spaces between the fields of a field are no value. A link of Atom is in its attribute. */
function valueIn({ name, text, href, rel, hasChildren, isText }: Element): string {
  if (hasChildren && !isText) return ''
  const value = text.trim()
  return value === '' && name === 'link' && rel === 'alternate' ? (href ?? '') : value
}

const isBlock = (name: string): boolean => blocks.has(localOf(name).toLowerCase())
const isMarkup = (name: string): boolean => isBlock(name) || inline.has(localOf(name).toLowerCase())

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1)
const prefixOf = (name: string): string => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '')
