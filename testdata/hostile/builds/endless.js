console.log('warming up'); for (;;);
