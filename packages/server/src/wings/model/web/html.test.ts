import type { HtmlNode } from '@svc/web'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxHtmlDepth, parseHtml } from './html.ts'

const faultsOf = (html: string): string[] => {
  const read = parseHtml(html)
  return 'faults' in read ? read.faults : []
}

test.each<[string, HtmlNode[]]>([
  ['', []],
  ['a &amp; b\r\n😀', ['a & b\n😀']],
  ['<p class="note">Pay <B>yearly</b></P >', [['p', { class: 'note' }, 'Pay ', ['b', null, 'yearly']]]],
  [
    '<br><img src=a.png alt=""/>',
    [
      ['br', null],
      ['img', { src: 'a.png', alt: '' }],
    ],
  ],
  ['<pre>\n\na</pre>', [['pre', null, '\na']]],
  [
    '<td>1</td><td>2</td>',
    [
      ['td', null, '1'],
      ['td', null, '2'],
    ],
  ],
  [
    '<table><tbody><tr><td>1</td></tr></tbody></table>',
    [['table', null, ['tbody', null, ['tr', null, ['td', null, '1']]]]],
  ],
  ['<a href="/b?c=1&d=2&copy=3">e</a>', [['a', { href: '/b?c=1&d=2&copy=3' }, 'e']]],
  ['<my-card data-x="1">a</my-card>', [['my-card', { 'data-x': '1' }, 'a']]],
  [
    '<svg viewBox="0 0 1 1" fill="url(#g)"><title>a</title><linearGradient id="g"/><use xlink:href="#b"></use></svg>',
    [
      [
        'svg',
        { viewBox: '0 0 1 1', fill: 'url(#g)' },
        ['title', null, 'a'],
        ['linearGradient', { id: 'g' }],
        ['use', { 'xlink:href': '#b' }],
      ],
    ],
  ],
  [
    '<p style="color: red; background: url(a.png)">a</p>',
    [['p', { style: 'color: red; background: url(a.png)' }, 'a']],
  ],
  ['<form><input name=a></form>', [['form', null, ['input', { name: 'a' }]]]],
])('%j travels as data', (html, nodes) => expect(parseHtml(html)).toEqual({ nodes }))

test.each([
  ['<script>a</script>', 'must not contain <script>: put code into the code of the variation (line 1, column 1)'],
  ['<SCRIPT SRC=a></SCRIPT>', 'must not contain <script>'],
  ['<style>a</style>', 'must not contain <style>'],
  ['a\n<link rel=stylesheet href=a>', 'must not contain <link>: it loads a file (line 2, column 1)'],
  ['<meta http-equiv=refresh content="0;url=javascript:x">', 'must not contain <meta>'],
  ['<base href=//evil.example>', 'must not contain <base>'],
  ['<iframe src=a></iframe>', 'must not contain <iframe>'],
  ['<iframe srcdoc="<script>"></iframe>', 'must not contain <iframe>'],
  ['<object data=a></object>', 'must not contain <object>'],
  ['<embed src=a>', 'must not contain <embed>'],
  ['<form action=//evil.example></form>', 'must not have in <form> the attribute action'],
  ['<button formaction="javascript:x">a</button>', 'must not have in <button> the attribute formaction'],
  ['<template><template><script>a</script></template></template>', 'must not contain <template>'],
  ['<noscript><p title="</noscript><img src=x onerror=a>"></noscript>', 'must not contain <noscript>'],
  [
    '<math><mtext><table><mglyph><style><img src=x onerror=a></style></mglyph></table></mtext></math>',
    'must not contain <math>',
  ],
  ['<svg><foreignObject><p>a</p></foreignObject></svg>', 'must not contain <foreignObject>'],
  ['<svg><script>a</script></svg>', 'must not contain <script>'],
  ['<svg><style>a</style></svg>', 'must not contain <style>'],
  ['<svg><animate attributeName="href" to="javascript:x"/></svg>', 'must not contain <animate>'],
  ['<svg><set attributeName="href" to="javascript:x"/></svg>', 'must not contain <set>'],
  ['<svg><a xlink:href="javascript:x"><text>a</text></a></svg>', 'must not contain <a>'],
  ['<svg><use href="data:image/svg+xml,x#a"/></svg>', 'must name a part of the same page'],
  ['<svg><use xlink:href="//evil.example/a#b"/></svg>', 'must name a part of the same page'],
  ['<svg><path fill="url(//evil.example#a)"/></svg>', 'must name a part of the same page'],
  ['<svg><title><p>a</p></title></svg>', 'can contain only text'],
  ['<svg><desc><img src=x></desc></svg>', 'can contain only text'],
  ['<svg><![CDATA[<img>]]></svg>', 'must have &lt; in place of <'],
  ['<blink>a</blink>', 'HTML has no such element'],
  ['<plaintext>a', 'must not contain <plaintext>'],
  ['<a href="javascript:x">a</a>', '“javascript”'],
  ['<a href="JaVa&#115;cript&colon;x">a</a>', '“javascript”'],
  ['<a href="java&#10;script:x">a</a>', 'without control characters'],
  ['<a href="&#1;javascript:x">a</a>', 'control'],
  ['<a href=" javascript:x">a</a>', 'spaces around it'],
  ['<a href="data:image/png;base64,A">a</a>', '“data”'],
  ['<a ping="//evil.example">a</a>', 'must not have in <a> the attribute ping'],
  ['<img src="data:text/html,a">', '“data”'],
  ['<img srcset="a.png 1x, javascript:x 2x">', '“javascript”'],
  ['<video poster="javascript:x"></video>', '“javascript”'],
  ['<q cite="javascript:x">a</q>', '“javascript”'],
  ['<p data-x=" java&Tab;script:x">a</p>', 'it can run code'],
  ['<IMG SRC=x OnError=a>', 'must not have in <img> the attribute onerror'],
  ['<p/onclick=a>b</p>', 'must be well-formed HTML'],
  ['<p @click="a">b</p>', 'must be the name of an attribute'],
  ['<p x-data="a">b</p>', 'a framework of the page would run it'],
  ['<p v-html="a">b</p>', 'a framework of the page would run it'],
  ['<p data-bind="a">b</p>', 'a framework of the page would run it'],
  ['<p hx-vals="js:a">b</p>', 'a framework of the page would run it'],
  ['<p hx-trigger="a[b]">b</p>', 'a framework of the page would run it'],
  ['<p _="on a">b</p>', 'a framework of the page would run it'],
  ['<p style="background: url(javascript:x)">a</p>', 'which has the property background'],
  ['<p style="width: expression(a)">a</p>', 'can run code'],
  ['<p style="color: red">a</p><p style="{">b</p>', '{ is not closed'],
])('%j is refused: %s', (html, rule) => expect(faultsOf(html).join('\n')).toContain(rule))

test.each([
  ['<div><td>a</td></div>', '“<td>” would be moved or left out (line 1, column 6)'],
  ['<table><tr><td>1</td></tr></table>', '<tbody> is missing (line 1, column 8)'],
  ['<table>a<tbody></tbody></table>', 'would be moved or left out'],
  ['<p>a<p>b</p>', '<p> has no </p> at its place (line 1, column 1)'],
  ['<p>a', '<p> has no </p> at its place'],
  ['<p><div>a</div></p>', '<p> has no </p> at its place'],
  ['<b><i>a</b></i>', '<i> has no </i> at its place'],
  ['<a href=a><a href=b>c</a></a>', 'at its place'],
  ['<h1>a</h2>', '<h1> has no </h1>'],
  ['<li>a<li>b', '<li> has no </li>'],
  ['a</p>', '“</p>” would be moved or left out (line 1, column 2)'],
  ['</br>', '“</br>” would be moved or left out'],
  ['<image src=a>', '“<image src=a>” would be moved or left out'],
  ['<select><b>a</b></select>', 'would be moved or left out'],
  ['<html><body>a</body></html>', '“<html>” would be moved or left out'],
  ['<!-- a -->b', 'must not contain comments'],
  ['<!doctype html>', 'would be moved or left out'],
  ['<?xml?>', 'must be well-formed HTML'],
  ['<p a=1 a=2>b</p>', 'must not have an attribute twice'],
  ['<div/>', 'must have an end tag in place of />'],
  ['1 < 2', 'must have &lt; in place of <'],
  ['&copy 2026', 'must have a semicolon'],
  ['&nosuch;', 'must have &amp; in place of &'],
  ['<p title="a', 'must have a > at the end'],
  ['a\u0000', 'must be well-formed HTML'],
  ['\ud800', 'must be well-formed HTML'],
  ['a'.repeat(20_001), 'at most 20000 characters'],
  ['<b>'.repeat(6600), 'at most 2000 elements'],
  ['<br>'.repeat(2001), 'at most 2000 elements'],
  [`${'<i>'.repeat(maxHtmlDepth + 1)}${'</i>'.repeat(maxHtmlDepth + 1)}`, 'at most 30 levels'],
])('nothing is repaired, moved or left out in silence: %j', (html, rule) =>
  expect(faultsOf(html).join('\n')).toContain(rule),
)

test('every fault is named', () => {
  expect(faultsOf('<p onclick=a>b</p><script></script><a href="javascript:x">c</a>')).toHaveLength(3)
})

test('open tags that multiply are refused quickly', () => {
  const bold = Array.from({ length: 900 }, (_, number) => `<b a=${number}>`).join('')
  expect(faultsOf(`<p>${bold}${'<p>a'.repeat(1000)}`)).toEqual(['must have at most 2000 elements and texts'])
})

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const written = (node: HtmlNode): string => {
  if (typeof node === 'string') return escaped(node)
  const [name, attributes, ...content] = node
  const inTag = Object.entries(attributes ?? {}).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const end = name === 'br' ? '' : `${content.map(written).join('')}</${name}>`
  return `<${name}${inTag.join('')}>${end}`
}

const text = fc.stringMatching(/^[a-z&<>"' 😀é\n]{1,12}$/u)
const attributes = fc.option(fc.dictionary(fc.constantFrom('id', 'class', 'data-x', 'title'), text, { minKeys: 1 }))
const { tree } = fc.letrec<{ tree: HtmlNode; content: HtmlNode[] }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    attributes.map((of) => ['br', of && { ...of }] as HtmlNode),
    fc
      .tuple(fc.constantFrom('div', 'span', 'section', 'b', 'ul', 'my-card'), attributes, tie('content'))
      .map(([name, of, content]) => [name, of && { ...of }, ...content] as HtmlNode),
  ),
  content: fc
    .tuple(
      fc.option(text, { nil: undefined }),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.option(text, { nil: undefined }),
    )
    // Texts beside each other would be one.
    .map(([first, trees, last]) => [
      ...(first === undefined ? [] : [first]),
      ...trees,
      ...(last === undefined || trees.length === 0 ? [] : [last]),
    ]),
}))

test('a tree that is written as HTML is read as the same tree', () => {
  fc.assert(
    fc.property(tree, (node) => {
      expect(parseHtml(written(node))).toEqual({ nodes: [node] })
    }),
  )
})

const piece = fc.constantFrom(
  ...[
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<i>',
    '</i>',
    '<a>',
    '</a>',
    '<table>',
    '</table>',
    '<tbody>',
    '</tbody>',
    '<tr>',
    '</tr>',
  ],
  ...[
    '<td>',
    '</td>',
    '<li>',
    '</li>',
    '<div>',
    '</div>',
    '<br>',
    '<svg>',
    '</svg>',
    '<g>',
    '</g>',
    '<select>',
    '</select>',
  ],
  ...[
    '<option>',
    '</option>',
    '<button>',
    '</button>',
    '<h1>',
    '</h1>',
    'a',
    ' ',
    '</br>',
    '<form>',
    '</form>',
    '<caption>',
  ],
)

test('accepted HTML has exactly the tags and the text that were written', () => {
  let accepted = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const html = pieces.join('')
      const read = parseHtml(html)
      if ('faults' in read) return
      accepted += 1
      expect(read.nodes.map(written).join('')).toBe(html)
    }),
    { numRuns: 3000 },
  )
  expect(accepted).toBeGreaterThan(50)
})
