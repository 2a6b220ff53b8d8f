import { List, Text } from '@mantine/core'
import { useState } from 'react'
import { ConditionBuilder } from '../src/ui/conditions/condition-builder.tsx'
import { ConditionText } from '../src/ui/conditions/condition-text.tsx'
import type { Condition } from '../src/ui/conditions/conditions.ts'
import { Specimen } from './gallery.tsx'
import { hostile } from './samples.ts'

const audiences = [
  { id: 'au-1', name: 'Beta users' },
  { id: 'au-2', name: hostile.long },
]
const segments = [{ id: 'se-1', name: 'Staff' }]
const names = {
  audiences: new Map(audiences.map(({ id, name }) => [id, name])),
  segments: new Map(segments.map(({ id, name }) => [id, name])),
}

const benelux: Condition = {
  all: [{ audience: 'au-1' }, { attribute: 'country', operator: 'in', value: ['NL', 'BE', 'LU'] }],
}
const everything: Condition = {
  all: [
    { attribute: 'country', operator: 'in', value: ['NL', 'BE', hostile.long] },
    {
      any: [
        { attribute: 'app.version', operator: 'semverGreaterThanOrEquals', value: '4.2.0' },
        { attribute: 'age', operator: 'greaterThan', value: 17.5 },
        { all: [{ attribute: '$now', operator: 'after', value: '2026-12-01T09:00:00.000Z' }, { segment: 'se-1' }] },
      ],
    },
    { not: { attribute: 'email', operator: 'endsWith', value: '@example.com', caseSensitive: false } },
    { not: { audience: 'au-2' } },
    { attribute: 'ip', operator: 'inCidr', value: ['10.0.0.0/8', '2001:db8::/32'] },
    { attribute: 'paid', operator: 'equals', value: true },
    { attribute: hostile.markup, operator: 'exists' },
  ],
}

export default function Conditions() {
  const [first, setFirst] = useState<Condition>(benelux)
  const [second, setSecond] = useState<Condition>(everything)
  return (
    <>
      <Specimen title="Sentences">
        <List size="sm">
          {[{ all: [] }, benelux, everything].map((condition) => (
            <List.Item key={JSON.stringify(condition)}>
              <ConditionText condition={condition} names={names} />
            </List.Item>
          ))}
        </List>
        <Text size="sm" mt="sm">
          Visitors <ConditionText condition={{ audience: 'gone' }} names={names} />
        </Text>
      </Specimen>
      <Specimen title="Builder">
        <ConditionBuilder
          label="Who"
          condition={first}
          onChange={setFirst}
          attributes={['country', 'plan', 'app.version']}
          audiences={audiences}
          segments={segments}
        />
      </Specimen>
      <Specimen title="Builder with every kind of value, and a refusal">
        <ConditionBuilder
          label="Conditions"
          condition={second}
          onChange={setSecond}
          audiences={audiences}
          segments={segments}
          error="Two conditions are refused."
          refused={[
            { path: ['conditions', 'all', 1, 'any', 1, 'value'], message: 'must be a number.' },
            { path: ['conditions', 'all', 2, 'not', 'value'], message: 'must be a string of at most 1000 characters.' },
          ]}
        />
      </Specimen>
    </>
  )
}
