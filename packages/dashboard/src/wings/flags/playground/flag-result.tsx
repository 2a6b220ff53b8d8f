import { Code, Text } from '@mantine/core'
import type { ConditionNames } from '../../../ui/conditions/condition-words.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { typeWords } from '../../../ui/status/status-words.ts'
import classes from './playground.module.css'
import {
  decisionWords,
  differs,
  type ExplainedFlag,
  type ExplainedRule,
  elseWords,
  type Pair,
  ruleReason,
  valueWords,
} from './reasons.ts'

interface FlagResultProps {
  pair: Pair
  /** What the other side is: "after publish". */
  side: string
  /** Shows the rules from the start. */
  isOpen: boolean
  names: ConditionNames & {
    /** Of web experiments, by the key that SDKs know. */
    experiments?: ReadonlyMap<string, string>
  }
  params: { org: string; project: string }
  envKey: string
  /** Rules of a past revision can be gone, so they are not offered for editing. */
  isNow: boolean
}

/** What the visitor gets from a flag, and why, rule by rule. */
export function FlagResult({ pair, side, isOpen, names, params, envKey, isNow }: FlagResultProps) {
  const { flag, other } = pair
  const isDifferent = differs(pair)
  const experiment = names.experiments?.get(flag.flagKey)
  return (
    <details className={classes.flag} open={isOpen}>
      <summary className={classes.summary}>
        {experiment !== undefined && <bdi className={classes.experiment}>{experiment}</bdi>}
        <span className={classes.key}>{flag.flagKey}</span>
        <span className={classes.outcome}>
          <Outcome flag={flag} />
        </span>
        {other && isDifferent && (
          <span className={classes.other} data-side={side}>
            {side}: <Outcome flag={other} />
          </span>
        )}
      </summary>
      <div className={classes.rules}>
        {flag.rules.length > 0 && (
          <ol className={classes.list}>
            {flag.rules.map((rule) => {
              const { words, details } = ruleReason(rule, flag, names)
              const decided = rule.ruleId === flag.ruleId
              return (
                <li key={rule.ruleId} className={classes.rule}>
                  <div className={classes.row} data-decided={decided}>
                    <span className={classes.name}>
                      <bdi>{rule.name}</bdi>{' '}
                      <Text span size="xs" c="dimmed">
                        {typeWords[rule.type]}
                      </Text>
                    </span>
                    <span className={classes.words}>{words}</span>
                    <span className={classes.details}>
                      {details.map((each) => (
                        <span key={each}>{each}</span>
                      ))}
                    </span>
                    {isNow && <ToEdit flag={flag} rule={rule} params={params} envKey={envKey} />}
                  </div>
                </li>
              )
            })}
          </ol>
        )}
        <div className={classes.else}>
          <span className={classes.name}>{flag.rules.length === 0 ? 'Everyone' : 'Everyone else'}</span>
          <span className={classes.rest}>{elseWords(flag)}</span>
        </div>
      </div>
    </details>
  )
}

interface ToEditProps extends Pick<FlagResultProps, 'params' | 'envKey'> {
  flag: ExplainedFlag
  rule: ExplainedRule
}

/** The rule of a web experiment is a part of the experiment, which is called by its short id. */
function ToEdit({ flag: { flagKey, experimentId }, rule: { ruleId, name }, params, envKey }: ToEditProps) {
  if (experimentId !== null)
    return (
      <TextLink
        to="/$org/$project/experiments/$experiment"
        params={{ ...params, experiment: flagKey.slice('x'.length) }}
        aria-label={`Open experiment ${name}`}
        size="sm"
      >
        Open experiment
      </TextLink>
    )
  return (
    <TextLink
      to="/$org/$project/flags/$flag"
      params={{ ...params, flag: flagKey }}
      search={{ env: envKey, rule: ruleId }}
      aria-label={`Edit rule ${name}`}
      size="sm"
    >
      Edit rule
    </TextLink>
  )
}

/** "on, by rule 1", with the value where the name of the variation does not say it. */
function Outcome({ flag }: { flag: ExplainedFlag }) {
  const value = valueWords(flag)
  return (
    <>
      {flag.variationKey !== null && (
        <>
          <b className={classes.variation}>{flag.variationKey}</b>
          {value !== undefined && (
            <>
              {' '}
              <Code className={classes.value ?? ''}>{value.length > 80 ? `${value.slice(0, 80)}…` : value}</Code>
            </>
          )}
          {', '}
        </>
      )}
      {decisionWords(flag)}
    </>
  )
}
