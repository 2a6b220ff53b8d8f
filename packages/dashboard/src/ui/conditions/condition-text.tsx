import classes from './condition-text.module.css'
import { type ConditionNames, conditionWords } from './condition-words.ts'
import type { Condition } from './conditions.ts'

/** A tree of conditions as a sentence: "in **Beta users** and country is **NL**, **BE** or **LU**". */
export function ConditionText({ condition, names = {} }: { condition: Condition; names?: ConditionNames }) {
  return (
    <span className={classes.text}>
      {conditionWords(condition, names).map(({ text, is }, index) => {
        // biome-ignore-start lint/suspicious/noArrayIndexKey: the words of a sentence have no other identity
        if (is === 'word') return <span key={index}>{text}</span>
        return (
          <span key={index} className={is === 'attribute' ? classes.attribute : classes.value}>
            {text}
          </span>
        )
        // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
      })}
    </span>
  )
}
