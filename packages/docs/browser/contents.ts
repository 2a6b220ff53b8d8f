/** Marks the current section in the table of contents: the last heading above the upper third of the window. */
export function followContents(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.contents a')]
  if (links.length === 0) return
  const headings = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))))
  let isPlanned = false
  const mark = () => {
    isPlanned = false
    const isAtEnd = innerHeight + scrollY >= root.scrollHeight - 2
    const above = headings.findLastIndex((heading) => (heading?.getBoundingClientRect().top ?? 0) < innerHeight / 3)
    const current = isAtEnd ? links.length - 1 : above
    for (const [index, link] of links.entries())
      if (index === current) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
  }
  const root = document.documentElement
  addEventListener(
    'scroll',
    () => {
      if (!isPlanned) requestAnimationFrame(mark)
      isPlanned = true
    },
    { passive: true },
  )
  mark()
}
