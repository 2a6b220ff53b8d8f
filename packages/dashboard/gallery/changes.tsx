import { useState } from 'react'
import { ChangeList, type ListedChange } from '../src/ui/changes/change-list.tsx'
import { Specimen } from './gallery.tsx'
import { hostile } from './samples.ts'

const names = {
  rules: new Map([
    ['r-1', 'Beta users in Benelux'],
    ['r-2', hostile.markup],
  ]),
  audiences: new Map([['au-1', 'Beta users']]),
}
const at = new Date(Date.now() - 3_600_000).toISOString()
const ada = { by: { name: 'Ada' }, at }
const changes: ListedChange[] = [
  { path: 'rules.r-1.trafficAllocation', from: 2500, to: 5000, ...ada },
  {
    path: 'rules.r-1.conditions',
    from: { all: [] },
    to: { all: [{ audience: 'au-1' }, { attribute: 'country', operator: 'in', value: ['NL', 'BE', 'LU'] }] },
    ...ada,
  },
  { path: 'rules.r-2', from: { name: hostile.markup }, to: null, by: { name: hostile.long }, at },
  {
    path: 'rules.r-3',
    from: null,
    to: { name: 'One page for all', type: 'AB_TEST' },
    by: { name: 'ci' },
    at,
  },
  { path: 'defaultVariationKey', from: 'off', to: 'on', by: null, at: null },
  {
    path: 'variations.long',
    from: { key: 'long', value: hostile.long },
    to: { key: 'long', value: hostile.emoji },
    ...ada,
  },
]

export default function Changes() {
  const [left, setLeft] = useState(changes)
  return (
    <>
      <Specimen title="Unpublished, with Undo">
        <ChangeList
          label="One-page checkout"
          changes={left}
          names={names}
          onUndo={({ path }) => setLeft(left.filter((change) => change.path !== path))}
          undoNote={({ path }) => (path.startsWith('variations.') ? 'also in Staging' : undefined)}
          fresh={new Set(['rules.r-3'])}
        />
      </Specimen>
      <Specimen title="Published">
        <ChangeList label="Revision 42" changes={changes.slice(0, 3)} names={names} isPublished />
      </Specimen>
    </>
  )
}
