import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript'
import { codeToTokensBase, createShikiPrimitiveAsync, type LanguageRegistration } from '@shikijs/primitive'
import { escapeHtml } from './html.ts'

/** Returns code as HTML with tokens in `<span class="t-…">`: the Content-Security-Policy allows no inline styles. */
export type Highlight = (code: string, language: string) => string

/** The classes of the stylesheet with the scopes of the grammars. A later row wins. */
const kinds: [className: string, scopes: string[]][] = [
  ['t-comment', ['comment', 'punctuation.definition.comment']],
  ['t-string', ['string', 'punctuation.definition.string', 'markup.inline.raw']],
  ['t-constant', ['constant', 'support.constant', 'variable.other.constant', 'constant.character.escape']],
  ['t-keyword', ['keyword', 'storage', 'entity.name.tag', 'keyword.operator.new']],
  [
    't-plain',
    ['keyword.operator', 'storage.type.annotation', 'punctuation', 'string variable', 'string meta.embedded'],
  ],
  [
    't-function',
    ['entity.name.function', 'support.function', 'entity.name.command', 'entity.name.type', 'support.class'],
  ],
  ['t-property', ['support.type.property-name', 'entity.other.attribute-name', 'meta.object-literal.key', 'variable']],
]
const plain = '#000000'
const colourOf = (index: number) => `#0000${(index + 1).toString(16).padStart(2, '0')}`
const classOf = new Map(kinds.map(([className], index) => [colourOf(index), className]))
const theme = {
  name: 'classes',
  type: 'light' as const,
  fg: plain,
  bg: '#ffffff',
  settings: kinds.map(([, scope], index) => ({ scope, settings: { foreground: colourOf(index) } })),
}

/** Loads the grammars of these languages. Code in other languages is not highlighted. */
export async function highlighter(languages: Iterable<string>): Promise<Highlight> {
  const known = new Set([...languages].filter((language) => language !== '' && language !== 'text'))
  const langs = await Promise.all(
    [...known].map(async (language): Promise<LanguageRegistration[]> => {
      const { default: grammars } = await import(`@shikijs/langs/${language}`)
      return grammars
    }),
  )
  const primitive = await createShikiPrimitiveAsync({
    engine: createJavaScriptRegexEngine({ forgiving: true }),
    themes: [theme],
    langs,
  })
  return (code, language) => {
    if (!known.has(language)) return escapeHtml(code)
    // No time limit: on a busy machine, it would change the pages.
    const lines = codeToTokensBase(primitive, code, { lang: language, theme: theme.name, tokenizeTimeLimit: 0 })
    return lines.map((line) => line.map(tokenHtml).join('')).join('\n')
  }
}

function tokenHtml({ content, color = plain }: { content: string; color?: string }): string {
  const className = classOf.get(color.toLowerCase())
  const text = escapeHtml(content)
  return className === undefined || className === 't-plain' ? text : `<span class="${className}">${text}</span>`
}
