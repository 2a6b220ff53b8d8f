import MiniSearch, { type SearchResult } from 'minisearch'
import { excerptOf } from '../src/excerpt.ts'
import { type Entry, searchOptions } from '../src/search-index.ts'
import { announce, part } from './page.ts'

type Found = SearchResult & Omit<Entry, 'id'>

const shown = 8
const indexAddress = '/docs/assets/search.json'

/** Starts the search in the header: a combobox. The first key press loads its index. */
export function startSearch(): void {
  const input = part<HTMLInputElement>('site-search-input')
  const list = part('site-search-results')
  const none = part('site-search-none')
  let index: Promise<MiniSearch<Entry>> | undefined
  const { options, choose, step, follow } = choices(input, list)

  const close = () => {
    list.hidden = true
    none.hidden = true
    choose(-1)
    input.setAttribute('aria-expanded', 'false')
  }

  const say = (text: string) => {
    close()
    none.textContent = text
    none.hidden = false
    announce(text)
  }

  const search = async () => {
    const query = input.value.trim()
    if (query === '') return close()
    try {
      index ??= fetchIndex()
      const results = (await index).search(query) as Found[]
      // The user has typed more in the meantime.
      if (query !== input.value.trim()) return
      if (results.length === 0) return say(`Nothing found for “${query}”.`)
      const { length } = results
      list.replaceChildren(...results.slice(0, shown).map(optionOf))
      none.hidden = true
      list.hidden = false
      list.scrollTop = 0
      input.setAttribute('aria-expanded', 'true')
      choose(0)
      announce(countOf(length))
    } catch {
      index = undefined
      say('The search cannot be loaded. Check the connection and type again.')
    }
  }

  input.addEventListener('input', search)
  input.addEventListener('focus', () => {
    if (input.value.trim() !== '') void search()
  })
  input.addEventListener('keydown', (event) => {
    const isOpen = !list.hidden && options().length > 0
    if (event.key === 'ArrowDown' && isOpen) step(1)
    else if (event.key === 'ArrowUp' && isOpen) step(-1)
    else if (event.key === 'Enter' && isOpen) follow()
    else if (event.key === 'Escape' && (isOpen || !none.hidden)) close()
    else if (event.key === 'Escape') input.blur()
    else return
    event.preventDefault()
  })
  list.addEventListener('click', close)
  document.addEventListener('pointerdown', ({ target }) => {
    if (!part('site-search').contains(target as Node)) close()
  })
  document.addEventListener('focusin', ({ target }) => {
    if (!part('site-search').contains(target as Node)) close()
  })
  document.addEventListener('keydown', (event) => {
    if (!asksForSearch(event)) return
    event.preventDefault()
    input.focus()
    input.select()
  })
  part('site-search').hidden = false
}

/** The options of the list, of which one is active. The focus stays in the input. */
function choices(input: HTMLElement, list: HTMLElement) {
  let active = -1

  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('a')]

  const choose = (next: number) => {
    active = next
    for (const [place, option] of options().entries()) option.setAttribute('aria-selected', String(place === active))
    const option = options()[active]
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }

  return {
    options,
    choose,
    step(by: 1 | -1) {
      const { length } = options()
      choose((active + by + length) % length)
    },
    follow: () => options()[Math.max(active, 0)]?.click(),
  }
}

const countOf = (results: number): string =>
  results > shown
    ? `${results} results, the first ${shown} are shown.`
    : `${results} ${results === 1 ? 'result' : 'results'}.`

/** `/` outside of a field, or Ctrl K. */
function asksForSearch({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select')
  return (key === '/' && !isTyping && !ctrlKey && !metaKey && !altKey) || (key === 'k' && (ctrlKey || metaKey))
}

async function fetchIndex(): Promise<MiniSearch<Entry>> {
  const answer = await fetch(indexAddress)
  if (!answer.ok) throw new Error(`the index answers ${answer.status}`)
  return MiniSearch.loadJSON(await answer.text(), searchOptions)
}

function optionOf({ address, page, heading, text, terms }: Found, place: number): HTMLAnchorElement {
  const option = document.createElement('a')
  option.href = address
  option.id = `site-search-option-${place}`
  option.tabIndex = -1
  option.role = 'option'
  option.ariaSelected = 'false'
  const found = span('found')
  found.textContent = heading
  const excerpt = span('excerpt')
  for (const { text: piece, isMatch } of excerptOf(text, terms)) {
    const node = isMatch ? document.createElement('mark') : span('')
    node.textContent = piece
    excerpt.append(node)
  }
  option.append(found, excerpt)
  if (page !== heading) {
    const where = span('where')
    where.textContent = page
    option.prepend(where)
  }
  return option
}

function span(className: string): HTMLSpanElement {
  const made = document.createElement('span')
  if (className) made.className = className
  return made
}
