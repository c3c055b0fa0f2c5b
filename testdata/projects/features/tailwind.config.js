import forms from '@tailwindcss/forms'
import defaultTheme from 'tailwindcss/defaultTheme'
import colors from 'tailwindcss/colors'

export default {
  content: ['./index.html', './src/**/*.{ts,tsx}'],
  safelist: [{ pattern: /^bg-moss-(100|600)$/ }],
  theme: {
    extend: {
      colors: { moss: { 100: '#e6f0e3', 600: '#4b7a3a', 900: '#22381b' }, note: colors.amber },
      fontFamily: { sans: ['Georgia', ...defaultTheme.fontFamily.sans] },
      keyframes: { rise: { from: { opacity: '0.2' }, to: { opacity: '1' } } },
      animation: { rise: 'rise 0.2s ease-out both' },
    },
  },
  plugins: [forms({ strategy: 'class' })],
}
