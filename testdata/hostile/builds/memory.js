const hog = []; for (;;) hog.push(Buffer.alloc(16 << 20, 1));
