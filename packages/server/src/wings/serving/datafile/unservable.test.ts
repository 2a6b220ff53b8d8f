import type { Flag } from '@svc/core'
import { expect, test } from 'vitest'
import {
  contentMember,
  defaultWebSettings,
  firstWebContent,
  noContent,
  settingsMember,
  type WebContent,
} from '../../model/web/index.ts'
import { blocksOf } from './blocks.ts'
import { fragmentText } from './bytes.ts'
import { noSections } from './file.ts'
import { newlyUnservable } from './unservable.ts'

const redirect = { url: 'https://shop.example/b', keepQuery: true }
const pages = [{ key: 'all', name: 'All', url: null, conditions: { all: [] } }]
const content = { ...firstWebContent, pages, variations: { b: { ...noContent, redirect } } }
const half = { id: '1', type: 'AB_TEST', split: [{ variation: 'original' }, { variation: 'other' }] }
const original = { ...half, split: [{ variation: 'original' }] }
const nothing = { sections: noSections, revision: 1, blocks: [] }

/** A file that serves an experiment, whose variation `other` redirects to shop.example. */
function serving(flag: object | null, hosts: string[] = [], served: WebContent = content) {
  const member = contentMember('x1', served, [{ id: 'b', key: 'other' }], [])
  return {
    sections: { ...noSections, web: `${settingsMember({ ...defaultWebSettings, hosts })},${member}` },
    ...{ revision: 1, blocks: blocksOf(flag ? [fragmentText('x1', flag as Flag)] : []) },
  }
}
const tested = serving({ rules: [half] })
const ofTheProject = serving({ rules: [half] }, ['shop.example'])

test.each([
  ['a redirect to a host of the project', nothing, ofTheProject, false],
  ['a redirect to a different host', nothing, tested, true],
  ['what was served before', tested, tested, false],
  ['a redirect whose host leaves the project', ofTheProject, tested, true],
  ['a redirect that no visitor gets', nothing, serving({ rules: [original] }), false],
  ['a redirect that visitors begin to get', serving({ rules: [original] }), tested, true],
  ['a redirect for named visitors', nothing, serving({ rules: [{ ...original, overrides: { v: 'other' } }] }), true],
  ['a winner that redirects', nothing, serving({ rules: [{ type: 'TARGETED_DELIVERY', variation: 'other' }] }), true],
  [
    'a winner of a test that was served',
    tested,
    serving({ rules: [{ type: 'TARGETED_DELIVERY', variation: 'other' }] }),
    false,
  ],
  ['an experiment that is not in the file', nothing, serving(null), false],
])('the script and %s', (_what, before, file, isRefused) => {
  const codes = newlyUnservable(file, before).map(({ code }) => code)
  expect(codes).toEqual(isRefused ? ['HOST_NOT_ALLOWED'] : [])
})

const withoutPages = serving({ rules: [half] }, ['shop.example'], { ...content, pages: [] })
const unchanged = serving({ rules: [half] }, [], { ...content, variations: { b: noContent } })

test.each([
  ['an experiment that loses its pages', ofTheProject, withoutPages, ['NO_PAGES']],
  ['an experiment that was served without pages', withoutPages, withoutPages, []],
  ['an experiment that loses its changes', ofTheProject, unchanged, ['NO_CHANGES']],
])('the script and %s', (_what, before, file, codes) => {
  expect(newlyUnservable(file, before).map(({ code }) => code)).toEqual(codes)
})
