const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/))

/** Elements of pages that a change can contain. Custom elements are allowed besides. */
const elements = words(`
  a abbr address area article aside audio b bdi bdo big blockquote br button canvas caption center cite code col colgroup
  data datalist dd del details dfn dialog div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6
  header hgroup hr i img input ins kbd label legend li main map mark menu meter nav ol optgroup option output p picture pre
  progress q rp rt ruby s samp search section select small source span strike strong sub summary sup svg table tbody td
  textarea tfoot th thead time tr track tt u ul var video wbr`)

/** Elements of drawings that a change can contain: nothing that animates, loads or contains HTML. */
const drawings = words(`
  svg g path circle ellipse line polyline polygon rect text tspan textPath title desc defs linearGradient radialGradient
  stop clipPath mask pattern symbol use marker filter feBlend feColorMatrix feComposite feDropShadow feFlood
  feGaussianBlur feMerge feMergeNode feMorphology feOffset`)

/** Why an element is refused, for those that people try to use. */
const refused: Record<string, string> = {
  script: 'put code into the code of the variation',
  style: 'put CSS into the CSS of the variation, or use a STYLE change',
  link: 'it loads a file',
  meta: 'it acts on the whole page',
  base: 'it changes all addresses of the page',
  title: 'it acts on the whole page',
  iframe: 'it loads another page',
  frame: 'it loads another page',
  object: 'it loads another document',
  embed: 'it loads another document',
  applet: 'it loads another document',
  template: 'its content is not shown',
  noscript: 'its content is not shown',
  math: 'formulas are not supported',
  foreignobject: 'a drawing cannot contain HTML',
  animate: 'it can change an address',
  set: 'it can change an address',
  image: 'use img',
  slot: 'it has no meaning outside of a component',
}

const customElement = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/
const reserved = words(
  'annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name missing-glyph',
)

/** Elements that have no end tag. */
export const voidElements: ReadonlySet<string> = words('area br col hr img input source track wbr')

/** Why an element is refused; undefined if a change can contain it. */
export function elementFault(name: string, { isDrawing }: { isDrawing: boolean }): string | undefined {
  const isKnown = isDrawing ? drawings.has(name) : elements.has(name)
  if (isKnown || (!isDrawing && customElement.test(name) && !reserved.has(name))) return undefined
  const key = name.toLowerCase()
  if (Object.hasOwn(refused, key)) return refused[key]
  return isDrawing ? 'a drawing cannot contain it' : 'HTML has no such element'
}

/** Elements whose text or attributes load or run something: only HIDE, STYLE, CLASS and MOVE act on them. */
export const protectedElements: ReadonlySet<string> = words(
  'script style link meta base iframe frame object embed applet template noscript head title html',
)
