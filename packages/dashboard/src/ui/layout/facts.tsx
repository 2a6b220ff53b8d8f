import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './facts.module.css'

interface FactsProps {
  facts: readonly (readonly [name: string, value: ReactNode])[]
  /** The first fact has a line of its own, because it is long. */
  isFirstLong?: boolean
  /** So has the last one. */
  isLastLong?: boolean
}

/** What an object says of itself, beside each other as far as there is room. */
export function Facts({ facts, isFirstLong = false, isLastLong = false }: FactsProps) {
  return (
    <dl className={classes.facts} data-first-long={isFirstLong || undefined} data-last-long={isLastLong || undefined}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm">
            {value}
          </Text>
        </div>
      ))}
    </dl>
  )
}

/** Numbers that a page is about, large and beside each other. */
export function Figures({ figures }: { figures: readonly (readonly [name: string, value: number | string])[] }) {
  return (
    <dl className={classes.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="xl" fw={600}>
            {typeof value === 'number' ? value.toLocaleString('en') : value}
          </Text>
        </div>
      ))}
    </dl>
  )
}
