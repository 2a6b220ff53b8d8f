/** Style sheets of the engine. They need no element and no permission of the page's policy, and hold before the first paint. */
export function createSheets(document: Document) {
  const sheets = new Map<string, { sheet: CSSStyleSheet; text: string }>()
  return {
    /** Gives a name this CSS in place of what it had; an empty text takes it away. */
    set(name: string, text: string): void {
      const known = sheets.get(name)
      if (known?.text === text || (!known && !text)) return
      if (!text) {
        sheets.delete(name)
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== known!.sheet)
        return
      }
      const sheet = known?.sheet ?? new CSSStyleSheet()
      sheet.replaceSync(text)
      sheets.set(name, { sheet, text })
      if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet)
    },
  }
}
