/** Text in Markdown that stays text, on one line: no link, heading, list, HTML or code begins in it. */
export const escapedText = (text: string): string =>
  text
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim()
    .replace(/[\\`*_[\]{}<>&#|~!$@]|:(?=\/\/)/g, '\\$&')
    .replace(/^(?:[-+=](?=\s|$|[-=])|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^www\./i, 'www\\.')

/** Text as code, on one line. Its fence is longer than every row of backticks in it. */
export function codeSpan(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()
  if (line === '') return '(empty)'
  const fence = '`'.repeat(longestRun(line) + 1)
  const isTight = !line.startsWith('`') && !line.endsWith('`')
  return isTight ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}

/** Lines of code. The fence is longer than every row of backticks in them. */
export function codeBlock(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text.replace(/\r\n?/g, '\n').replace(/\n+$/, '')}\n${fence}`
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
