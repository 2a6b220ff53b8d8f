import type { Rule } from '@svc/core'
import { missingToServe } from '../../model/web/index.ts'
import { keyOf, parseFragment } from './bytes.ts'
import type { StoredDataFile } from './file.ts'
import { pagesOf } from './pages.ts'

type WebFile = Pick<StoredDataFile, 'sections' | 'revision' | 'blocks'>

/** What the script would not do of what this file begins to serve. What was served before stays as it was. */
export function newlyUnservable(file: WebFile, before: WebFile) {
  const known = new Set(unservable(before).map(({ name }) => name))
  return unservable(file).flatMap(({ name, missing }) => (known.has(name) ? [] : [missing]))
}

function unservable(file: WebFile) {
  const { settings, contents } = pagesOf(file)
  const fragments = new Map(file.blocks.flatMap((block) => block.fragments.map((each) => [keyOf(each), each])))
  return contents.flatMap(({ key, pages, variations }) => {
    const { rules = [], overrides } = parseFragment(fragments.get(key) ?? null) ?? {}
    const given = new Set(
      [overrides, ...rules.map((rule) => rule.overrides)].flatMap((each) => Object.values(each ?? {})),
    )
    for (const rule of rules) for (const variation of variationsOf(rule)) given.add(variation)
    const named = [...given].map((id) => ({ id, key: id }))
    const found = missingToServe({ pages, variations }, key, named, settings.hosts)
    return found.map((missing) => ({ name: missing.message, missing }))
  })
}

/** The keys of the variations that a rule gives to visitors. */
const variationsOf = (rule: Rule): string[] =>
  rule.type === 'AB_TEST' ? rule.split.map(({ variation }) => variation) : [rule.variation]
