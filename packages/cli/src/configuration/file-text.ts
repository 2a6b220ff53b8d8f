import { Document, isScalar, Scalar, type ScalarTag, visit } from 'yaml'
import type { Fields } from './objects.ts'

/**
 * The text of a file: the same content has the same bytes. The file is YAML 1.2, and many tools read it as YAML 1.1:
 * Ansible, Ruby, PyYAML and Go programs. Values that mean something else there are written in a form that means the
 * same.
 */
export function textOf(document: Fields, serviceUrl: string): string {
  const yaml = new Document(document, {
    ...{ version: '1.2', schema: 'core', aliasDuplicateObjects: false },
    customTags: (tags) => [exponent, ...tags],
  })
  visit(yaml, (_key, node) => {
    if (isScalar(node) && typeof node.value === 'string' && isReadOtherwise(node.value)) node.type = Scalar.QUOTE_DOUBLE
  })
  const text = yaml.toString({ lineWidth: 0 })
  return `# yaml-language-server: $schema=${serviceUrl}/docs/config.schema.json\n${text.replace(new RegExp(unreadable, 'gu'), escaped)}`
}

const word = /^(?:y|yes|n|no|on|off|true|false|null|~|=|<<|[-+]?\.(?:inf|nan)?)$/i
/**
 * Octal, binary, with underscores or commas, in base 60, dates and times. More than needed is quoted, and no harm done.
 */
const numeric = /^[-+.]?\d[\d,._:+\-a-foxtz \t]*$/i
const symbol = /^:/
/** What YAML 1.1 takes for the end of a line, or refuses. In quotes, it can be escaped. */
const unreadable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/u

/** Without quotes, PyYAML takes a tab for the end of a text. Half a character cannot be written in UTF-8. */
const inQuotesOnly = /[\t\p{Cs}]/u

const isReadOtherwise = (text: string): boolean =>
  [word, numeric, symbol, unreadable, inQuotesOnly].some((pattern) => pattern.test(text))

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** YAML 1.1 wants a dot before an exponent: it reads `1e+21` as text. */
const exponent: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => typeof value === 'number' && String(value).includes('e'),
  test: /(?!)/,
  resolve: Number,
  stringify: ({ value }) => String(value).replace(/^(-?\d+)e/, '$1.0e'),
}
