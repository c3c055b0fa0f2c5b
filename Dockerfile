# Vitrine with its browser, fonts and sandbox. `docker build -t vitrine .`, then
#   docker run --rm -p 7400:7400 -p 7401:7401 -e VITRINE_AUTH_TOKEN -v vitrine:/var/lib/vitrine \
#     --security-opt seccomp=unconfined --security-opt apparmor=unconfined vitrine
# The two options let bubblewrap make namespaces inside the container.
FROM golang:1.26-trixie AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /vitrine ./cmd/vitrine

FROM debian:trixie-slim
COPY tools/setup.sh /opt/setup.sh
RUN /opt/setup.sh image && rm -rf /opt/setup.sh /var/lib/apt/lists/* \
	&& useradd --create-home --home-dir /var/lib/vitrine vitrine
COPY --from=build /vitrine /usr/local/bin/vitrine
USER vitrine
WORKDIR /var/lib/vitrine
VOLUME /var/lib/vitrine
EXPOSE 7400 7401
ENTRYPOINT ["vitrine"]
CMD ["serve", "--listen", "0.0.0.0:7400", "--listen-pages", "0.0.0.0:7401"]
