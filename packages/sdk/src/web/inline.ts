/** Text that would end the element, or begin a comment in it. */
const unwritable = /<\/script|<!--/i

/** Whether a script can be written into a page. */
export const isWritable = (script: string): boolean => !unwritable.test(script)

/**
 * The text of a script element.
 *
 * @param attributes what the script must know of the visitor before it decides
 */
export function inlineText(script: string, attributes: Record<string, unknown>): string {
  const told = JSON.stringify(attributes).replaceAll('<', '\\u003c')
  return told === '{}' ? script : `((self.svc??={}).q??=[]).push(["setAttributes",${told}]);${script}`
}

/** A script element of a page. */
export const inlineElement = (text: string, nonce: string | null | undefined): string =>
  `<script${nonce == null ? '' : ` nonce="${inAttribute(String(nonce))}"`}>${text}</script>`

const inAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
