import { dayText } from '../../../ui/time/dates.ts'
import { type ArrivedEvent, ticksFor } from './activity-words.ts'
import classes from './day-bars.module.css'

const percent = (place: number): string => `${place.toFixed(3)}%`
/** The part of a day that its bar takes. */
const filled = 0.72

/** A bar for each day. Screen readers get the sentence and the table below it. */
export function DayBars({ event: { eventKey, days } }: { event: ArrivedEvent }) {
  const ticks = ticksFor(Math.max(...days.map(({ events }) => events)))
  const top = ticks.at(-1)!
  const width = 100 / days.length
  const marked = [0, Math.floor(days.length / 2), days.length - 1]
  return (
    <figure className={classes.frame} aria-hidden>
      <figcaption className={classes.title}>{eventKey}</figcaption>
      <div className={classes.plot}>
        {ticks.map((tick) => (
          <span key={tick} className={classes.tick} style={{ insetBlockEnd: percent((tick / top) * 100) }}>
            <span>{tick.toLocaleString('en')}</span>
          </span>
        ))}
        <svg className={classes.bars} aria-hidden>
          {days.map(({ day, events }, place) => (
            <rect
              key={day}
              className={classes.bar}
              x={percent((place + (1 - filled) / 2) * width)}
              width={percent(width * filled)}
              y={percent(100 - (events / top) * 100)}
              height={percent((events / top) * 100)}
              rx="2"
            >
              <title>{`${dayText(day)}: ${events.toLocaleString('en')}`}</title>
            </rect>
          ))}
        </svg>
      </div>
      <div className={classes.days}>
        {marked.map((place) => (
          <span key={place}>{place === days.length - 1 ? 'Today' : dayText(days[place]!.day)}</span>
        ))}
      </div>
    </figure>
  )
}
