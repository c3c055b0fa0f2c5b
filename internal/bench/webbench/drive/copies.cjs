// Makes what a build copies out of the packages writable, as it is where npm laid them: here
// they are read-only, and a copy keeps the mode.
const fs = require('fs')
const writable = (mode) => mode | 0o200
const copyFile = fs.promises.copyFile, copyFileSync = fs.copyFileSync

fs.promises.copyFile = async (from, to, ...rest) => {
  await copyFile(from, to, ...rest)
  await fs.promises.chmod(to, writable((await fs.promises.stat(to)).mode))
}
fs.copyFileSync = (from, to, ...rest) => {
  copyFileSync(from, to, ...rest)
  fs.chmodSync(to, writable(fs.statSync(to).mode))
}
