/** What the module of a preview says about itself. */
export interface Preview {
  experiment: string
  version: 'DRAFT' | 'LIVE'
  variationKey: string
  variations: { key: string; name: string }[]
}

interface Actions {
  onChoose(variationKey: string): void
  onEnd(): void
}

const css = `:host{all:initial;position:fixed;left:16px;bottom:16px;z-index:2147483647}
div{display:flex;gap:8px;align-items:center;max-width:90vw;box-sizing:border-box;padding:8px 12px;border-radius:8px;
background:#1a1b1e;color:#fff;font:14px/1.4 system-ui,sans-serif;box-shadow:0 2px 8px #0006}
select,button{font:inherit;color:#1a1b1e;background:#fff;border:0;border-radius:4px;padding:2px 8px}`

/** Says that the page is a preview, and of what. Neither styles nor scripts of the page reach it. */
export function showBadge(document: Document, text: string, preview: Preview | undefined, actions: Actions): void {
  const host = document.createElement('svc-preview')
  const root = host.attachShadow({ mode: 'closed' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const box = document.createElement('div')
  box.setAttribute('role', 'status')
  box.append(preview ? `Preview: ${text}` : text)
  if (preview) box.append(chooser(document, preview, actions), ender(document, actions))
  root.append(box)
  document.documentElement.append(host)
}

function chooser(document: Document, { variations, variationKey }: Preview, { onChoose }: Actions): Element {
  const select = document.createElement('select')
  select.ariaLabel = 'Variation'
  for (const { key, name } of variations) select.append(new Option(name, key, false, key === variationKey))
  select.addEventListener('change', () => onChoose(select.value))
  return select
}

function ender(document: Document, { onEnd }: Actions): Element {
  const button = document.createElement('button')
  button.textContent = 'End preview'
  button.addEventListener('click', onEnd)
  return button
}
