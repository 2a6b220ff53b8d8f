import type { Condition } from '@svc/core'
import { afterEach, describe, expect, test } from 'vitest'
import { changeSchema } from '../../packages/server/src/wings/model/web/changes.ts'
import { servedCss } from '../../packages/server/src/wings/model/web/css.ts'
import type { HtmlNode, ServedChange } from '../../packages/web/src/index.ts'
import { everywhere, openPage, type Site } from './page.ts'

let opened: Site | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const pages: Record<string, Condition> = {
  all: { all: [] },
  plans: { attribute: 'page.path', operator: 'equals', value: '/plans' },
}
const on = (selector: string, page: string | null = null) => ({ page, selector })

const changes: { does: string; body: string; change: ServedChange; becomes: string }[] = [
  {
    does: 'sets the first text that shows something, and leaves the other texts and elements',
    body: '<h1> <b>Our</b> plans</h1>',
    change: { type: 'TEXT', ...on('h1'), value: 'From € 9' },
    becomes: '<h1> <b>From € 9</b> plans</h1>',
  },
  {
    does: 'gives a text to an element without one',
    body: '<h1><i></i></h1>',
    change: { type: 'TEXT', ...on('h1'), value: 'New' },
    becomes: '<h1>New<i></i></h1>',
  },
  {
    does: 'sets a text as it is, also one that looks like HTML',
    body: '<h1>Old</h1>',
    change: { type: 'TEXT', ...on('h1'), value: '<b>&amp;</b>' },
    becomes: '<h1>&lt;b&gt;&amp;amp;&lt;/b&gt;</h1>',
  },
  {
    does: 'sets an attribute',
    body: '<a href="/a">A</a>',
    change: { type: 'ATTRIBUTE', ...on('a'), name: 'href', value: '/b' },
    becomes: '<a href="/b">A</a>',
  },
  {
    does: 'sets a style, which the browser writes in its own way',
    body: '<a style="color: red;">A</a>',
    change: { type: 'ATTRIBUTE', ...on('a'), name: 'style', value: 'color:blue' },
    becomes: '<a style="color: blue;">A</a>',
  },
  {
    does: 'removes an attribute',
    body: '<input disabled="">',
    change: { type: 'ATTRIBUTE', ...on('input'), name: 'disabled', value: null },
    becomes: '<input>',
  },
  {
    does: 'replaces an image with its other sizes and the sources of its picture',
    body: '<picture><source srcset="a.webp"><img src="a.png" srcset="a2.png 2x" alt="A"></picture>',
    change: { type: 'IMAGE', ...on('img'), value: 'b.png', alt: 'B' },
    becomes: '<picture><source srcset="b.png"><img src="b.png" alt="B"></picture>',
  },
  {
    does: 'adds and removes classes, and keeps the others',
    body: '<p class="a b">P</p>',
    change: { type: 'CLASS', ...on('p'), add: ['c'], remove: ['b'] },
    becomes: '<p class="a c">P</p>',
  },
  {
    does: 'inserts elements, also drawings',
    body: '<p>P</p>',
    change: {
      ...{ type: 'INSERT', ...on('p'), position: 'AFTER' },
      value: [
        ['em', { class: 'n' }, 'new'],
        ['svg', { viewBox: '0 0 1 1' }, ['path', { d: 'M0 0' }]],
      ],
    },
    becomes: '<p>P</p><em class="n">new</em><svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>',
  },
  {
    does: 'replaces the content beside the hidden original',
    body: '<p class="a">P</p>',
    change: { type: 'HTML', ...on('p'), value: [['b', null, 'Q']] },
    becomes: '<p class="a"><b>Q</b></p><p class="a" data-svc-hidden="">P</p>',
  },
  {
    does: 'moves the element itself',
    body: '<main><h1>H</h1></main><p>P</p>',
    change: { type: 'MOVE', ...on('p'), to: 'main', position: 'FIRST' },
    becomes: '<main><p>P</p><h1>H</h1></main>',
  },
]

const bodyOf = ({ page }: Site) => page.evaluate(() => document.body.innerHTML)
/** Goes to another address without a load, as a router does. */
const goTo = ({ page }: Site, path: string) => page.evaluate((to) => history.pushState(null, '', to), path)

/** Whether the body is what a browser makes of this HTML. The order of attributes means nothing. */
const isWritten = (html: string): boolean => {
  const written = document.createElement('body')
  written.innerHTML = html
  return written.isEqualNode(document.body)
}

describe('a change', () => {
  test.each(changes)('$does, on its page only, and takes it back on the next', async ({ body, change, becomes }) => {
    opened = await openPage([everywhere([{ ...change, page: 'plans' }], { pages })], { body })
    await opened.open('/plans')
    expect(await bodyOf(opened)).toBe(becomes)
    await goTo(opened, '/other')
    expect(await opened.page.evaluate(isWritten, body)).toBe(true)
    await goTo(opened, '/plans/')
    expect(await bodyOf(opened)).toBe(becomes)
    expect(opened.errors).toEqual([])
  })
})

const text = (selector: string, value: string, page: string | null = null): ServedChange => ({
  ...{ type: 'TEXT', page, selector, value },
})
const h1Of = ({ page }: Site) => page.evaluate(() => document.querySelector('h1')?.textContent)

describe('changes', () => {
  test('leave alone what loads or runs something, also where a selector finds it', async () => {
    opened = await openPage([everywhere([text('.a', 'New')])], {
      body: '<script type="text/plain" class="a">own</script><p class="a"><style>p{}</style>Own</p><iframe class="a" srcdoc=""></iframe>',
    })
    await opened.open()
    expect(await bodyOf(opened)).toBe(
      '<script type="text/plain" class="a">own</script><p class="a"><style>p{}</style>New</p><iframe class="a" srcdoc=""></iframe>',
    )
  })

  test('of the same text: the later one holds, and the earlier one when the later one ends', async () => {
    opened = await openPage([everywhere([text('h1', 'First'), text('h1', 'Second', 'plans')], { pages })], {
      body: '<h1>Own</h1>',
    })
    await opened.open('/plans')
    expect(await h1Of(opened)).toBe('Second')
    await goTo(opened, '/')
    expect(await h1Of(opened)).toBe('First')
  })

  test('reach elements that come late, and one that gets a matching class', async () => {
    opened = await openPage([everywhere([text('h1.on', 'New')])], { body: '<h1>Own</h1>' })
    await opened.open()
    const seen = await opened.page.evaluate(async () => {
      const turn = () => new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(undefined))))
      const h1 = document.querySelector('h1')!
      h1.className = 'on'
      await turn()
      const first = h1.textContent
      document.body.insertAdjacentHTML('beforeend', '<h1 class="on">Late</h1>')
      await turn()
      h1.className = ''
      await turn()
      return [first, document.querySelectorAll('h1')[1]!.textContent, h1.textContent]
    })
    expect(seen).toEqual(['New', 'New', 'Own'])
  })

  test('are put back in the task in which the page takes them away, and the page gets its last own text at the end', async () => {
    opened = await openPage([everywhere([text('h1', 'New', 'plans')], { pages })], { body: '<h1>Own</h1>' })
    await opened.open('/plans')
    const shown = await opened.page.evaluate(async () => {
      document.querySelector('h1')!.firstChild!.nodeValue = 'Rendered again'
      await Promise.resolve()
      const first = document.body.innerText
      document.querySelector('h1')!.replaceChildren('Rendered anew')
      await Promise.resolve()
      return [first, document.body.innerText]
    })
    expect(shown).toEqual(['New', 'New'])
    await goTo(opened, '/')
    expect(await h1Of(opened)).toBe('Rendered anew')
  })

  test('rest, too, where the page makes a new element each time', async () => {
    opened = await openPage([everywhere([text('h1', 'New')])], { body: '<main><h1>Own</h1></main>' })
    await opened.open()
    const warned = opened.page.waitForEvent('console', (message) => message.text().includes('rests'))
    await opened.page.evaluate(() => {
      const main = document.querySelector('main')!
      new MutationObserver(() => {
        if (main.textContent !== 'Own') main.innerHTML = '<h1>Own</h1>'
      }).observe(main, { childList: true, subtree: true, characterData: true })
      main.innerHTML = '<h1>Own</h1>'
    })
    expect((await warned).text()).toContain('a change of h1 rests')
    expect(await h1Of(opened)).toBe('Own')
  })

  test('count once for all elements of one change of the page', async () => {
    opened = await openPage([everywhere([text('li', 'New')])], { body: `<ul>${'<li>Own</li>'.repeat(300)}</ul>` })
    await opened.open()
    const shown = await opened.page.evaluate(async () => {
      for (const li of document.querySelectorAll('li')) li.replaceChildren('Rendered again')
      await Promise.resolve()
      return new Set([...document.querySelectorAll('li')].map((li) => li.textContent)).size
    })
    expect(shown).toBe(1)
    expect(await opened.page.textContent('li')).toBe('New')
  })

  test.each<[string, ServedChange]>([
    ['inserted', { type: 'INSERT', ...on('h1'), position: 'AFTER', value: [['p', null, 'Note']] }],
    ['replaced', { type: 'HTML', ...on('h1'), value: [['b', null, 'Note']] }],
  ])(
    'that have %s something leave nothing behind when the page removes or replaces the element',
    async (_what, change) => {
      opened = await openPage([everywhere([change])], { body: '<main><h1 id="a">Own</h1></main>' })
      await opened.open()
      const notes = await opened.page.evaluate(async () => {
        const count = () => document.body.innerText.split('Note').length - 1
        const counts = [count()]
        const next = document.createElement('h1')
        next.textContent = 'Next'
        for (const h1 of [...document.querySelectorAll('h1')]) if (h1.textContent === 'Own') h1.replaceWith(next)
        await Promise.resolve()
        counts.push(count())
        next.remove()
        await Promise.resolve()
        return [...counts, count()]
      })
      expect(notes).toEqual([1, 1, 0])
    },
  )

  test.each([
    ['BEFORE', 'A t 1 2 B C', 'A C t 1 2 B', 'A C new t 1 2 B'],
    ['AFTER', 'A B 2 t 1 C', 'A C B 2 t 1', 'A C new B 2 t 1'],
  ] as const)(
    'that have inserted something %s an element stay beside it where a framework sorts its neighbours',
    async (position, first, sorted, added) => {
      const insert = (...value: HtmlNode[]): ServedChange => ({
        ...{ type: 'INSERT', ...on('.b', 'plans'), position },
        value,
      })
      opened = await openPage([everywhere([insert('t', ['i', null, '1']), insert(['i', null, '2'])], { pages })], {
        body: '<ul><li>A</li><li class="b">B</li><li>C</li></ul>',
      })
      await opened.open('/plans')
      // As React and Vue do it: elements that stay are put before others.
      const shown = await opened.page.evaluate(async () => {
        const ul = document.querySelector('ul')!
        const b = document.querySelector('.b')!
        const words = () => [...ul.childNodes].map(({ textContent }) => textContent).join(' ')
        const seen = [words()]
        ul.append(b)
        await Promise.resolve()
        seen.push(words())
        const made = document.createElement('li')
        made.append('new')
        ul.insertBefore(made, b)
        await Promise.resolve()
        return [...seen, words()]
      })
      expect(shown).toEqual([first, sorted, added])
      await goTo(opened, '/')
      expect(await bodyOf(opened)).toBe('<ul><li>A</li><li>C</li><li>new</li><li class="b">B</li></ul>')
    },
  )

  test('keep what they act on, although they take away by what their selectors find it', async () => {
    const body = '<a class="b" href="/old">A</a><p id="p" class="is-open">P</p><div hidden=""></div>'
    const own = { page: 'plans', own: true } as const
    const changes: ServedChange[] = [
      { type: 'ATTRIBUTE', ...own, selector: 'a[href="/old"]', name: 'href', value: '/new' },
      { type: 'CLASS', ...own, selector: 'p.is-open', add: ['wide'], remove: ['is-open'] },
      { type: 'ATTRIBUTE', ...own, selector: '[hidden]', name: 'hidden', value: null },
    ]
    const becomes = '<a class="b" href="/new">A</a><p id="p" class="wide">P</p><div></div>'
    opened = await openPage([everywhere(changes, { pages })], { body })
    await opened.open('/plans')
    // Each change of the page is a reason to look again.
    const shown = await opened.page.evaluate(async () => {
      const seen: string[] = []
      for (let time = 0; time < 3; time += 1) {
        document.body.append('')
        await Promise.resolve()
        seen.push(document.body.innerHTML)
      }
      return seen
    })
    expect(shown).toEqual([becomes, becomes, becomes])
    // What the page gives the element is the page's.
    await opened.page.evaluate(() => document.querySelector('a')!.setAttribute('href', '/third'))
    await expect.poll(() => opened!.page.getAttribute('a', 'href')).toBe('/third')
    await goTo(opened, '/')
    expect(await bodyOf(opened)).toBe(body.replace('/old', '/third'))
  })

  test('do not find what they have made themselves', async () => {
    const changes: ServedChange[] = [
      { type: 'INSERT', ...on('main p'), position: 'AFTER', value: [['div', null, ['p', null, 'Free trial']]] },
      text('main p', 'New'),
    ]
    opened = await openPage([everywhere(changes)], { body: '<main><p>Own</p></main>' })
    await opened.open()
    await opened.page.evaluate(() => document.querySelector('main')!.append('more'))
    expect(await opened.page.innerHTML('main')).toBe('<p>New</p><div><p>Free trial</p></div>more')
  })

  test.each<[string, 'BEFORE' | 'AFTER' | 'FIRST' | 'LAST', string]>([
    ['before', 'BEFORE', '<i>1</i><i>2</i><main><b></b></main>'],
    ['after', 'AFTER', '<main><b></b></main><i>1</i><i>2</i>'],
    ['first in', 'FIRST', '<main><i>1</i><i>2</i><b></b></main>'],
    ['last in', 'LAST', '<main><b></b><i>1</i><i>2</i></main>'],
  ])('move several elements %s another in their order, and back', async (_where, position, becomes) => {
    const body = '<i>1</i><i>2</i><u></u><main><b></b></main>'
    const change: ServedChange = { type: 'MOVE', page: 'plans', selector: 'i', to: 'main', position }
    opened = await openPage([everywhere([change], { pages })], { body })
    await opened.open('/plans')
    const bodyWithout = async () => (await bodyOf(opened!)).replace('<u></u>', '')
    expect(await bodyWithout()).toBe(becomes)
    await opened.page.evaluate(() => document.querySelector('b')!.append('x'))
    expect((await bodyWithout()).replace('x', '')).toBe(becomes)
    await goTo(opened, '/')
    expect((await bodyOf(opened)).replace('x', '')).toBe(body)
  })

  test('that throw rest alone: the others and the calls of the page work', async () => {
    const changes: ServedChange[] = [
      { type: 'MOVE', ...on('p'), to: 'html', position: 'BEFORE' },
      text('p:no-such-state', 'Never'),
      text('h1', 'New'),
    ]
    opened = await openPage([everywhere(changes)], { body: '<h1>Own</h1><p>P</p>' })
    await opened.open()
    expect(await h1Of(opened)).toBe('New')
    expect(await opened.page.evaluate('typeof svc.track')).toBe('function')
    expect(opened.errors).toEqual([])
  })

  test('rest after 200 times in a minute, so that the page stays usable', async () => {
    opened = await openPage([everywhere([text('h1', 'New')])], { body: '<h1>Own</h1>' })
    await opened.open()
    const warned = opened.page.waitForEvent('console', (message) => message.text().includes('rests'))
    const writes = await opened.page.evaluate(async () => {
      // The clock stands in a later minute: on a busy machine, 200 frames can take longer than one, after which the count
      // begins anew, and a parser that brought the text of h1 after its element has counted once in the minute before.
      const at = performance.now() + 61_000
      performance.now = () => at
      const h1 = document.querySelector('h1')!
      let count = 0
      // A script that fights: it writes its own text whenever it sees another one.
      new MutationObserver(() => {
        if (h1.textContent === 'Own') return
        count += 1
        h1.replaceChildren('Own')
      }).observe(document, { childList: true, subtree: true, characterData: true })
      h1.replaceChildren('Own')
      while (count < 200) await new Promise(requestAnimationFrame)
      for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame)
      return count
    })
    expect(writes).toBe(200)
    expect(await h1Of(opened)).toBe('Own')
    expect((await warned).text()).toContain('a change of h1 rests')
  })

  test('of styles, and replaced content, win over important rules of the page that are more specific', async () => {
    const changes: ServedChange[] = [{ type: 'HTML', ...on('p'), value: ['New'] }]
    const style = changeSchema.parse({ id: 'c1', type: 'STYLE', selector: 'h1', value: { color: 'rgb(1, 2, 3)' } })
    const hide = changeSchema.parse({ id: 'c2', type: 'HIDE', selector: 'i' })
    const css = servedCss({ changes: [style, hide], css: null })
    opened = await openPage([everywhere([], { variations: { other: { css, changes, redirect: null, code: null } } })], {
      head: '<style>#a #b.c{display:flex!important;color:red!important}</style>',
      body: '<main id="a"><h1 id="b" class="c">H</h1><i id="b" class="c">I</i><p id="b" class="c">P</p></main>',
    })
    await opened.open()
    const seen = await opened.page.evaluate(() =>
      [...document.querySelectorAll('#b')].map((each) => [
        getComputedStyle(each).display,
        getComputedStyle(each).color,
      ]),
    )
    const red = 'rgb(255, 0, 0)'
    expect(seen).toEqual([
      ['flex', 'rgb(1, 2, 3)'],
      ['none', red],
      ['flex', red],
      ['none', red],
    ])
  })

  test('of CSS hold on their page, without an element of ours and without a permission of a strict policy', async () => {
    const css = [
      { page: null, text: 'h1{color:rgb(1, 2, 3)!important}' },
      { page: 'plans', text: 'h1{display:none!important}' },
    ]
    const changes: ServedChange[] = [
      { type: 'INSERT', page: null, selector: 'h1', position: 'AFTER', value: [['p', { style: 'color: red' }, 'new']] },
    ]
    opened = await openPage(
      [everywhere([], { pages, variations: { other: { css, changes, redirect: null, code: null } } })],
      {
        body: '<h1>Own</h1>',
        headers: (service) => ({
          'content-security-policy': `default-src 'none'; img-src data:; script-src ${service}; connect-src ${service}; require-trusted-types-for 'script'; trusted-types 'none'`,
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-embedder-policy': 'require-corp',
        }),
      },
    )
    await opened.open('/plans')
    const styleOf = () =>
      opened!.page.evaluate(() => [
        getComputedStyle(document.querySelector('h1')!).display,
        getComputedStyle(document.querySelector('h1')!).color,
      ])
    expect(await styleOf()).toEqual(['none', 'rgb(1, 2, 3)'])
    await goTo(opened, '/')
    expect(await styleOf()).toEqual(['block', 'rgb(1, 2, 3)'])
    expect(await opened.page.evaluate(() => document.querySelectorAll('style').length)).toBe(0)
    expect(await opened.page.evaluate(() => getComputedStyle(document.querySelector('p')!).color)).toBe(
      'rgb(255, 0, 0)',
    )
    expect(opened.errors).toEqual([])
  })
})
