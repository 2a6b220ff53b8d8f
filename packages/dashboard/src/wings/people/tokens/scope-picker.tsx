import { Button, Radio, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { Choices } from '../../../ui/form/choices.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import type { ExplainedScope } from './explained-scope.ts'
import { type Family, levelOf, partsOf, presetIn, presetsOf, scopesInWords, withLevel } from './scope-levels.ts'
import classes from './scope-picker.module.css'

interface ScopePickerProps {
  scopes: readonly ExplainedScope[]
  chosen: readonly string[]
  error: string | undefined
  change: (chosen: string[]) => void
}

const levels = [
  { level: 'none', label: 'None' },
  { level: 'read', label: 'Read' },
  { level: 'write', label: 'Write' },
] as const

/** A usual choice of scopes, and below it a level for each kind of object. */
export function ScopePicker({ scopes, chosen, error, change }: ScopePickerProps) {
  const [showsIneffective, setShowsIneffective] = useState(false)
  const presets = presetsOf(scopes)
  const preset = presetIn(presets, chosen)
  return (
    <>
      <Choices
        legend="Access"
        name="scopes"
        description="Select what the program needs, or choose below."
        error={error}
      >
        {presets.map((each) => (
          <Radio
            key={each.key}
            name="preset"
            label={each.label}
            description={each.text}
            checked={preset === each}
            onChange={() => change(each.scopes)}
          />
        ))}
      </Choices>
      <div>
        {partsOf(scopes, chosen, showsIneffective).map(({ title, families }) => (
          <Disclosure key={title} summary={<PartSummary title={title} families={families} {...{ scopes, chosen }} />}>
            {families.map((family) => (
              <FamilyLevels
                key={family.family}
                family={family}
                chosen={chosen}
                change={(level) => change(withLevel(scopes, chosen, family.family, level))}
              />
            ))}
          </Disclosure>
        ))}
        <Button variant="subtle" size="compact-sm" onClick={() => setShowsIneffective(!showsIneffective)}>
          {showsIneffective ? 'Hide scopes without effect' : 'Show scopes without effect'}
        </Button>
        {showsIneffective && (
          <Text size="xs" c="dimmed" role="status">
            No API call needs these scopes yet.
          </Text>
        )}
      </div>
    </>
  )
}

interface PartSummaryProps {
  title: string
  families: readonly Family[]
  scopes: readonly ExplainedScope[]
  chosen: readonly string[]
}

/** "Flags and experiments: read flags". */
function PartSummary({ title, families, scopes, chosen }: PartSummaryProps) {
  const here = scopes.filter(({ scope }) => families.some(({ family }) => scope.startsWith(`${family}:`)))
  return `${title}: ${scopesInWords(chosen, [...here, ...scopes.filter(({ scope }) => scope === 'admin:*')])}`
}

interface FamilyLevelsProps {
  family: Family
  chosen: readonly string[]
  change: (level: 'none' | 'read' | 'write') => void
}

function FamilyLevels({ family, chosen, change }: FamilyLevelsProps) {
  const id = useId()
  const current = levelOf(family, chosen)
  return (
    <div className={classes.family} role="radiogroup" aria-labelledby={id} aria-describedby={`${id}-text`}>
      <div className={classes.words}>
        <div id={id}>{family.title}</div>
        <Text id={`${id}-text`} size="xs" c="dimmed" component="div">
          {family.levels
            .map(({ text, isIneffective }) => (isIneffective ? `${text} (No effect yet.)` : text))
            .join(' ')}
        </Text>
      </div>
      <div className={classes.levels}>
        {levels
          .filter(({ level }) => level === 'none' || family.levels.some((each) => each.level === level))
          .map(({ level, label }) => (
            <Radio
              key={level}
              name={`scopes ${family.family}`}
              label={label}
              checked={current === level}
              onChange={() => change(level)}
            />
          ))}
      </div>
    </div>
  )
}
