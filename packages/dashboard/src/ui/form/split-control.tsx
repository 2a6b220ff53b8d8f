import { Button, TextInput } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Variation } from '../names/variation.tsx'
import {
  borderAfter,
  even,
  percentIn,
  percentOf,
  percentText,
  whole,
  withBorder,
  withWeight,
} from '../words/percent.ts'
import classes from './split-control.module.css'

const arms = 4
const step = 100
const bigStep = 1000

interface SplitControlProps {
  label: string
  /** The variations in the order of the flag. */
  variations: readonly { key: string; name: string }[]
  /** Basis points by variation, 10000 in sum. */
  weights: readonly number[]
  onChange: (weights: number[]) => void
  /** What visitors get now. Shown beside weights that differ. */
  live?: readonly number[] | undefined
  error?: string | undefined
}

/**
 * How visitors are split between variations: a field for each, and one bar with separators, which are sliders (arrows
 * 1 %, Shift 10 %). The sum is always 100 %.
 */
export function SplitControl({ label, variations, weights, onChange, live, error }: SplitControlProps) {
  // While a person types in a field, the others are split from their earlier values, so "1" on the way to "10" is safe.
  const [typing, setTyping] = useState<{ at: number; text: string; before: readonly number[] }>()
  const isFault = typing !== undefined && percentIn(typing.text) === undefined
  return (
    <fieldset className={classes.frame}>
      <legend className={classes.legend}>{label}</legend>
      <Bar variations={variations} weights={weights} onChange={onChange} />
      <div className={classes.arms}>
        {variations.map(({ key, name }, at) => (
          <div key={key} className={classes.arm} data-live={live !== undefined || undefined}>
            <Variation name={name} place={at} />
            <TextInput
              aria-label={`Share of ${name}`}
              inputMode="decimal"
              rightSection="%"
              value={typing?.at === at ? typing.text : percentText(weights[at]!)}
              error={isFault && typing.at === at}
              autoComplete="off"
              onFocus={() => setTyping({ at, text: percentText(weights[at]!), before: weights })}
              onChange={(event) => {
                const text = event.currentTarget.value
                const before = typing?.before ?? weights
                setTyping({ at, text, before })
                const value = percentIn(text)
                if (value !== undefined) onChange(withWeight(before, at, value))
              }}
              onBlur={() => setTyping(undefined)}
            />
            {live && (
              <span className={classes.live}>
                {live[at] !== undefined && live[at] !== weights[at] && `live: ${percentOf(live[at])}`}
              </span>
            )}
          </div>
        ))}
      </div>
      <div className={classes.end}>
        <Button variant="default" size="xs" onClick={() => onChange(even(variations.length))}>
          Even
        </Button>
        {(isFault || error) && (
          <span className={classes.fault} role="alert">
            {isFault ? 'Enter 0 to 100, with at most two decimals.' : error}
          </span>
        )}
      </div>
    </fieldset>
  )
}

/** The shares as parts of one bar. Their borders are moved by keys or by dragging. */
function Bar({ variations, weights, onChange }: Pick<SplitControlProps, 'variations' | 'weights' | 'onChange'>) {
  const bar = useRef<HTMLDivElement>(null)
  const press = (event: KeyboardEvent, at: number) => {
    const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (!direction) return
    event.preventDefault()
    onChange(withBorder(weights, at, borderAfter(weights, at) + direction * (event.shiftKey ? bigStep : step)))
  }
  const drag = (event: PointerEvent<HTMLElement>, at: number) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !bar.current) return
    const { left, width } = bar.current.getBoundingClientRect()
    const position = Math.round((((event.clientX - left) / width) * whole) / step) * step
    onChange(withBorder(weights, at, position))
  }
  return (
    <div className={classes.bar} ref={bar}>
      {variations.map(({ key }, at) => (
        <span
          key={key}
          className={classes.part}
          data-arm={(at % arms) + 1}
          style={{ width: `${weights[at]! / 100}%` }}
        />
      ))}
      {variations.slice(0, -1).map(({ key, name }, at) => (
        <span
          key={key}
          className={classes.separator}
          role="slider"
          tabIndex={0}
          aria-label={`Border between ${name} and ${variations[at + 1]!.name}`}
          aria-valuemin={(borderAfter(weights, at) - weights[at]!) / 100}
          aria-valuemax={borderAfter(weights, at + 1) / 100}
          aria-valuenow={borderAfter(weights, at) / 100}
          aria-valuetext={`${name} ${percentOf(weights[at]!)}, ${variations[at + 1]!.name} ${percentOf(weights[at + 1]!)}`}
          style={{ insetInlineStart: `${borderAfter(weights, at) / 100}%` }}
          onKeyDown={(event) => press(event, at)}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => drag(event, at)}
        />
      ))}
    </div>
  )
}
