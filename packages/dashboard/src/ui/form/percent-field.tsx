import { TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { percentIn, percentOf, percentText, whole } from '../words/percent.ts'
import classes from './percent-field.module.css'

/** The step of the slider. Fields accept steps of 0.01 %. */
const stepBasisPoints = 100
const faultWords = 'Enter 0 to 100, with at most two decimals.'

interface PercentFieldProps {
  label: string
  /** Basis points, 0 to 10000. */
  value: number
  onChange: (basisPoints: number) => void
  /** What visitors get now. Shown if it differs. */
  live?: number | undefined
  description?: ReactNode
  error?: string | undefined
  /** The name of the field in the body, for issues of the service. */
  name?: string
  /** Where the slider begins and ends: basis points. Default: 0 to 10000. What is typed is checked by the service. */
  least?: number
  most?: number
}

/**
 * A share in percent, as a field with a slider. "live: 25 %" is beside a value that is not published. Forms and dialogs
 * send nothing while what is typed is no share.
 */
export function PercentField(props: PercentFieldProps) {
  const { label, value, onChange, live, description, error, name, least = 0, most = whole } = props
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const isFault = typed !== undefined && percentIn(typed) === undefined
  useEffect(() => input.current?.setCustomValidity(isFault ? faultWords : ''), [isFault])
  return (
    <div className={classes.frame}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.row}>
        <TextInput
          id={id}
          ref={input}
          className={classes.input ?? ''}
          {...(name !== undefined && { name })}
          inputMode="decimal"
          rightSection="%"
          value={typed ?? percentText(value)}
          error={isFault || error !== undefined}
          aria-describedby={`${id}-notes`}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            const next = percentIn(event.currentTarget.value)
            if (next !== undefined) onChange(next)
          }}
          onBlur={() => !isFault && setTyped(undefined)}
        />
        <input
          type="range"
          className={classes.range}
          aria-label={`${label}, slider`}
          min={least}
          max={most}
          step={stepBasisPoints}
          value={value}
          aria-valuetext={percentOf(value)}
          onChange={(event) => {
            setTyped(undefined)
            onChange(Number(event.currentTarget.value))
          }}
        />
        {live !== undefined && live !== value && <span className={classes.live}>live: {percentOf(live)}</span>}
      </div>
      <Notes id={`${id}-notes`} fault={isFault ? faultWords : error}>
        {description}
      </Notes>
    </div>
  )
}

function Notes({ id, fault, children }: { id: string; fault: string | undefined; children: ReactNode }) {
  return (
    <div id={id}>
      {children && <div className={classes.note}>{children}</div>}
      {fault && (
        <div className={classes.fault} role="alert">
          {fault}
        </div>
      )}
    </div>
  )
}
