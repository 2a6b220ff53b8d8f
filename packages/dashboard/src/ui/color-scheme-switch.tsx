import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import classes from './color-scheme-switch.module.css'

const choices = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'As the system', Icon: IconDeviceDesktop },
] as const satisfies { value: MantineColorScheme; label: string; Icon: unknown }[]

/** Light, dark, or as the system says; kept in this browser. */
export function ColorSchemeSwitch() {
  // Switching transitions off for the moment would need a <style>.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <fieldset className={classes.frame}>
      <legend className={classes.legend}>Colours</legend>
      {choices.map(({ value, label, Icon }) => (
        <label key={value} className={classes.choice} title={label}>
          <input
            type="radio"
            name="color-scheme"
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
            aria-label={label}
          />
          <Icon size={18} aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}
